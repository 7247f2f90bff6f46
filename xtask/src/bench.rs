//! The numbers to hold, measured in one run: sizes, events a second natively and in wasm, seeking,
//! frames. The browser's part is `www/bench/run.mjs`.

use crate::build::{self, Finish};
use crate::ensure::{self, Browser};
use crate::error::{Context, Error};
use crate::{repo, shell};
use serde_json::{Value, json};

const THROUGHPUT: &str = "bench/throughput.hw";

/// `cargo xtask bench`.
pub fn run(arguments: &[String]) -> Result<(), Error> {
    let mut given = pico_args::Arguments::from_vec(arguments.iter().map(Into::into).collect());
    let as_json = given.contains("--json");
    build::no_more(&given.finish())?;
    ensure::all(&[ensure::PAGE, ensure::BROWSERS].concat())?;
    shell::catch(build::wasm())?;
    build::dist(&repo::path("dist"), Finish::Optimized)?;
    let native = native()?;
    let browsers = browsers()?;
    if browsers["chromium"]["fingerprint"] != native["fingerprint"] {
        return Err(Error::new(format!("the histories differ: {native} and {browsers}")));
    }
    let numbers = Numbers::of(&native, &browsers)?;
    if as_json {
        println!("{}", numbers.line());
    } else {
        print!("{}", numbers.table());
    }
    Ok(())
}

/// Runs the throughput scenario in a program that is built as the wasm is.
fn native() -> Result<Value, Error> {
    let build = ["build", "--quiet", "--release", "--package", "xtask", "--bin", "native_bench"];
    shell::catch(shell::command("cargo", &build))?;
    let program = repo::target().join("release/native_bench");
    read_line(shell::command(&program.to_string_lossy(), &[THROUGHPUT]))
}

fn browsers() -> Result<Value, Error> {
    let mut command = shell::command("node", &["www/bench/run.mjs", "dist"]);
    for browser in [Browser::Chromium, Browser::Firefox] {
        command.envs(browser.find().map(|file| (browser.variable(), file)));
    }
    read_line(command)
}

/// What a program says in its last line.
fn read_line(command: std::process::Command) -> Result<Value, Error> {
    let said = shell::catch(command)?;
    serde_json::from_str(said.lines().last().unwrap_or_default()).context(said.trim())
}

/// All that was measured. The line has Chromium's; the table has both browsers'.
struct Numbers {
    first_screen_gzip_bytes: f64,
    wasm_gzip_bytes: f64,
    page_gzip_bytes: f64,
    whole_gzip_bytes: f64,
    embed_js_gzip_bytes: f64,
    events: f64,
    share_of_work: f64,
    events_per_s_native: f64,
    chromium: InBrowser,
    firefox: InBrowser,
}

struct InBrowser {
    events_per_s: f64,
    seek_ms: f64,
    frame_ms: f64,
    frames: f64,
}

impl Numbers {
    fn of(native: &Value, browsers: &Value) -> Result<Numbers, Error> {
        let events = number(native, "events")?;
        let sizes = &browsers["sizes"];
        let in_browser = |name: &str| -> Result<InBrowser, Error> {
            let measured = &browsers[name];
            Ok(InBrowser {
                events_per_s: events / number(measured, "seconds")?,
                seek_ms: number(measured, "seekMs")?,
                frame_ms: number(measured, "frameMs")?,
                frames: number(measured, "frames")?,
            })
        };
        Ok(Numbers {
            first_screen_gzip_bytes: number(sizes, "total")?,
            wasm_gzip_bytes: number(sizes, "wasm")?,
            page_gzip_bytes: number(sizes, "page")?,
            whole_gzip_bytes: number(sizes, "whole")?,
            embed_js_gzip_bytes: number(sizes, "embed")?,
            events,
            share_of_work: number(native, "share")?,
            events_per_s_native: events / number(native, "seconds")?,
            chromium: in_browser("chromium")?,
            firefox: in_browser("firefox")?,
        })
    }

    fn line(&self) -> String {
        let rounded = |value: f64, per_unit: f64| (value * per_unit).round() / per_unit;
        json!({
            "first_screen_gzip_bytes": self.first_screen_gzip_bytes,
            "embed_js_gzip_bytes": self.embed_js_gzip_bytes,
            "events_per_s_native": self.events_per_s_native.round(),
            "events_per_s_wasm": self.chromium.events_per_s.round(),
            "wasm_over_native": rounded(self.chromium.events_per_s / self.events_per_s_native, 1000.0),
            "seek_ms_10min": rounded(self.chromium.seek_ms, 100.0),
            "frame_script_ms_50x1000": rounded(self.chromium.frame_ms, 100.0),
        })
        .to_string()
    }

    fn table(&self) -> String {
        let Numbers { chromium, firefox, .. } = self;
        let kb = |bytes: f64| format!("{:.1} KB", bytes / 1024.0);
        let ms = |value: f64| format!("{value:.1} ms");
        let million = |value: f64| format!("{:.2} M", value / 1e6);
        let ratio = |value: f64| format!("{:.2}", value / self.events_per_s_native);
        let none = String::new;
        let head = ["", "measured", "Firefox", "to hold"].map(str::to_owned);
        let rows = [
            head,
            row("first screen, gzip", kb(self.first_screen_gzip_bytes), none(), "≤ 150 KB"),
            row("  wasm (starter)", kb(self.wasm_gzip_bytes), none(), "≤ 110 KB"),
            row("  page code", kb(self.page_gzip_bytes), none(), "≤ 40 KB"),
            row("whole engine, behind it, gzip", kb(self.whole_gzip_bytes), none(), ""),
            row("embed.js, gzip", kb(self.embed_js_gzip_bytes), none(), "≤ 2 KB"),
            row("events/s, native", million(self.events_per_s_native), none(), ""),
            row(
                "events/s, wasm",
                million(chromium.events_per_s),
                million(firefox.events_per_s),
                "≥ 1 M",
            ),
            row(
                "wasm over native",
                ratio(chromium.events_per_s),
                ratio(firefox.events_per_s),
                "≥ 0.7",
            ),
            row("seek in 10 minutes, worst", ms(chromium.seek_ms), ms(firefox.seek_ms), "≤ 16 ms"),
            row(
                "script per frame, 50 × 1,000, p95",
                ms(chromium.frame_ms),
                ms(firefox.frame_ms),
                "< 8 ms",
            ),
        ];
        let lines = rows.iter().map(|[what, measured, firefox, goal]| {
            format!("{what:<34} {measured:>10} {firefox:>10}   {goal}\n")
        });
        let table: String = lines.collect();
        format!(
            "{table}\nSizes apart, the first column is Chromium's. Throughput: {} events, {:.0} % of \
             them produces and fetches with records. Frames: {} and {}.\n",
            self.events,
            self.share_of_work * 100.0,
            chromium.frames,
            firefox.frames
        )
    }
}

fn row(what: &str, measured: String, firefox: String, goal: &str) -> [String; 4] {
    [what.to_owned(), measured, firefox, goal.to_owned()]
}

fn number(value: &Value, name: &str) -> Result<f64, Error> {
    value[name].as_f64().ok_or_else(|| Error::new(format!("no number {name} in {value}")))
}
