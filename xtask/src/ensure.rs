//! What a command needs from the machine. On Debian 12 and later, with root or sudo, what is missing
//! is installed, its progress on the screen; elsewhere it is named in a line, with how to get it.

use crate::error::Error;
use crate::{repo, shell};
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

/// The oldest Node that the page's tools run on.
const OLDEST_NODE: u32 = 20;
/// The oldest Debian that packages are installed on.
const OLDEST_DEBIAN: u32 = 12;

/// Something that a command cannot do without.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Need {
    /// Rust's standard library (or `core`) for this target.
    Target(&'static str),
    /// `wasm-pack`, which gets the matching `wasm-bindgen` itself.
    WasmPack,
    /// Node and npm.
    Node,
    /// What `package-lock.json` lists; after [`Need::Node`].
    NodeModules,
    /// A browser that tests drive.
    Browser(Browser),
}

/// The browsers that are supported.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Browser {
    /// Chromium or Chrome.
    Chromium,
    /// Firefox, best an ESR.
    Firefox,
}

/// What the wasm and the page are built with.
pub const PAGE: &[Need] =
    &[Need::Target("wasm32-unknown-unknown"), Need::WasmPack, Need::Node, Need::NodeModules];

/// Both browsers.
pub const BROWSERS: &[Need] = &[Need::Browser(Browser::Chromium), Need::Browser(Browser::Firefox)];

impl Browser {
    /// The variable that says where it is.
    pub fn variable(self) -> &'static str {
        match self {
            Browser::Chromium => "HIGHWATER_CHROMIUM",
            Browser::Firefox => "HIGHWATER_FIREFOX",
        }
    }

    /// Where it is: what its variable says, or its usual names on `PATH`.
    pub fn find(self) -> Option<PathBuf> {
        if let Some(given) = std::env::var_os(self.variable()).filter(|v| !v.is_empty()) {
            return Some(PathBuf::from(given)).filter(|file| file.is_file());
        }
        self.names().iter().find_map(|name| shell::find(name))
    }

    fn names(self) -> &'static [&'static str] {
        match self {
            Browser::Chromium => {
                &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
            }
            Browser::Firefox => &["firefox-esr", "firefox"],
        }
    }

    /// The first of its usual names is also that of Debian's package.
    fn package(self) -> &'static str {
        self.names()[0]
    }
}

/// Sees to it that all of `needs` is there.
pub fn all(needs: &[Need]) -> Result<(), Error> {
    let mut needs = needs.to_vec();
    needs.sort();
    needs.dedup();
    let may_install = may_install();
    let mut missing = Vec::new();
    let mut packages = Vec::new();
    for need in needs.into_iter().filter(|need| !is_met(*need)) {
        match need {
            _ if !may_install => missing.push(advice(need)),
            Need::Browser(browser) => packages.push(browser.package()),
            Need::Node if debian_has_node()? => apt_install(&["nodejs", "npm"])?,
            Need::Node => missing.push(advice(need)),
            Need::NodeModules if missing.is_empty() => install(need)?,
            Need::NodeModules => {}
            Need::Target(_) | Need::WasmPack => install(need)?,
        }
    }
    if missing.is_empty() && !packages.is_empty() {
        packages.push("fonts-noto-cjk"); // The page is in 中文 too.
        apt_install(&packages)?;
    }
    if missing.is_empty() { Ok(()) } else { Err(Error::new(missing.join("\n"))) }
}

fn is_met(need: Need) -> bool {
    match need {
        Need::Target(target) => {
            shell::answer("rustc", &["--print", "sysroot"]).is_some_and(|sysroot| {
                PathBuf::from(sysroot).join("lib/rustlib").join(target).is_dir()
            })
        }
        Need::WasmPack => shell::find("wasm-pack").is_some(),
        Need::Node => {
            node_version().is_some_and(|v| v >= OLDEST_NODE) && shell::find("npm").is_some()
        }
        Need::NodeModules => node_modules_are_fresh(),
        Need::Browser(browser) => browser.find().is_some(),
    }
}

/// One line: what is missing, and how to get it.
fn advice(need: Need) -> String {
    match need {
        Need::Target(target) => format!("missing: Rust's {target} (`rustup target add {target}`)"),
        Need::WasmPack => "missing: wasm-pack (`cargo install wasm-pack --locked`)".to_owned(),
        Need::Node => {
            let found = node_version().map_or_else(|| "none".to_owned(), |v| format!("Node {v}"));
            format!(
                "missing: Node {OLDEST_NODE} or newer with npm, found {found} \
                 (from nodejs.org, or by a version manager such as fnm or nvm)"
            )
        }
        Need::NodeModules => "missing: the packages of package-lock.json (`npm ci`)".to_owned(),
        Need::Browser(browser) => format!(
            "missing: {browser:?} (install it, or set {} to its executable)",
            browser.variable()
        ),
    }
}

fn install(need: Need) -> Result<(), Error> {
    let (program, arguments): (&str, &[&str]) = match need {
        Need::Target(target) => ("rustup", &["target", "add", target]),
        Need::WasmPack => ("cargo", &["install", "wasm-pack", "--locked"]),
        Need::NodeModules => ("npm", &["ci", "--no-audit", "--no-fund"]),
        Need::Node | Need::Browser(_) => return Err(Error::new(advice(need))),
    };
    eprintln!("installing: {program} {}", arguments.join(" "));
    shell::show(shell::command(program, arguments))
}

fn apt_install(packages: &[&str]) -> Result<(), Error> {
    apt_update()?;
    eprintln!("installing from the distribution: {}", packages.join(" "));
    let install = ["apt-get", "install", "--yes", "--quiet=1", "--no-install-recommends"];
    shell::show(as_root(&[&install[..], packages].concat()))
}

/// The lists of a fresh machine are empty; once is enough.
fn apt_update() -> Result<(), Error> {
    static DONE: AtomicBool = AtomicBool::new(false);
    if DONE.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    shell::show(as_root(&["apt-get", "update", "--quiet=1"]))
}

fn as_root(words: &[&str]) -> std::process::Command {
    let quietly = ["env", "DEBIAN_FRONTEND=noninteractive"];
    let mut words = [&quietly[..], words].concat();
    if !is_root() {
        words.insert(0, "sudo");
    }
    shell::command(words[0], &words[1..])
}

fn is_root() -> bool {
    shell::answer("id", &["-u"]).as_deref() == Some("0")
}

/// Debian that is new enough, and someone who may install on it.
fn may_install() -> bool {
    debian_release().is_some_and(|release| release >= OLDEST_DEBIAN)
        && (is_root() || shell::find("sudo").is_some())
}

/// Debian's release; testing and unstable have no number and count as the newest.
fn debian_release() -> Option<u32> {
    let text = fs::read_to_string("/etc/os-release").ok()?;
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        line.map(|value| value.trim_matches('"').to_owned())
    };
    (field("ID")? == "debian").then(|| field("VERSION_ID").map_or(u32::MAX, |v| number_before(&v)))
}

fn node_version() -> Option<u32> {
    let version = shell::answer("node", &["--version"])?;
    Some(number_before(version.trim_start_matches('v')))
}

/// Whether this Debian's own Node is new enough (from Debian 13 on).
fn debian_has_node() -> Result<bool, Error> {
    apt_update()?;
    let policy = shell::answer("apt-cache", &["policy", "nodejs"]).unwrap_or_default();
    let candidate = policy.lines().find_map(|line| line.trim().strip_prefix("Candidate: "));
    Ok(candidate.is_some_and(|version| number_before(version) >= OLDEST_NODE))
}

/// The number that a version begins with; 0 without one.
fn number_before(version: &str) -> u32 {
    let digits = version.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    digits.parse().unwrap_or(0)
}

/// npm leaves a lock file of its own in what it installed.
fn node_modules_are_fresh() -> bool {
    let changed = |place: &str| -> Option<SystemTime> {
        fs::metadata(repo::path(place)).and_then(|m| m.modified()).ok()
    };
    changed("node_modules/.package-lock.json") >= changed("package-lock.json")
}
