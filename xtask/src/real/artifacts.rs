//! Kafka's released artifacts, by Maven, and the driver compiled against them.

use crate::error::{Context, Error};
use crate::{repo, shell};
use highwater_core::settings::Release;
use std::fs;
use std::path::{Path, PathBuf};

/// The oldest Java that every release here runs on.
const OLDEST_JAVA: u32 = 17;

/// One release of Kafka on this machine.
pub struct Artifacts {
    /// Such as `4.4.0`.
    pub version: String,
    /// Class path of brokers and of the driver.
    pub classes: String,
    /// Where everything of this release is kept.
    pub folder: PathBuf,
}

impl Artifacts {
    /// Whether its brokers keep their state in ZooKeeper.
    pub fn has_zookeeper(&self) -> bool {
        self.version.starts_with("2.")
    }

    /// Gets a release, and compiles the driver if it has changed.
    pub fn get(version: &str) -> Result<Artifacts, Error> {
        let missing: Vec<String> = [java(), maven()].into_iter().flatten().collect();
        if !missing.is_empty() {
            return Err(Error::new(missing.join("\n")));
        }
        let folder = repo::target().join("real").join(version);
        let list = folder.join("classpath");
        if is_stale(&list) {
            eprintln!("getting Kafka {version} by Maven, and compiling the driver …");
            let project = repo::path("fidelity/recorder/pom.xml");
            let command = shell::command(
                "mvn",
                &[
                    "-q",
                    "-f",
                    &project.to_string_lossy(),
                    &format!("-Dkafka.version={version}"),
                    &format!("-Dinto={}", folder.display()),
                    "compile",
                    "dependency:build-classpath",
                    &format!("-Dmdep.outputFile={}", list.display()),
                    "-Dmdep.regenerateFile=true",
                ],
            );
            shell::catch(command).context(format_args!("cannot get Kafka {version}"))?;
        }
        let own = folder.join("classes");
        let classes = format!("{}:{}", own.display(), repo::read(&list)?.trim());
        Ok(Artifacts { version: version.to_owned(), classes, folder })
    }
}

/// The version that stands for a release.
pub fn version_of(release: Release) -> &'static str {
    match release {
        Release::V0_8_2 => "0.8.2.2",
        Release::V0_11 => "0.11.0.3",
        Release::V2_8 => "2.8.2",
        Release::V3_9 => "3.9.2",
        Release::V4_1 => "4.1.1",
        Release::V4_4 => "4.4.0",
    }
}

/// Whether the driver's sources are newer than what was made of them.
fn is_stale(list: &Path) -> bool {
    let time = |file: &Path| fs::metadata(file).and_then(|m| m.modified()).ok();
    let Some(made) = time(list) else { return true };
    let is_source = |p: &Path| p.is_dir() || p.extension().is_some_and(|e| e != "md");
    let all = repo::files_below(&repo::path("fidelity/recorder"), &is_source).unwrap_or_default();
    all.iter().any(|file| time(file) > Some(made))
}

/// One line if there is no Java that will do.
fn java() -> Option<String> {
    let found = shell::answer("java", &["--version"]).unwrap_or_default();
    let version = found.split_whitespace().nth(1).unwrap_or_default();
    let number = version.split('.').next().and_then(|n| n.parse::<u32>().ok());
    let is_met = number.is_some_and(|n| n >= OLDEST_JAVA);
    let found = if version.is_empty() { "none" } else { version };
    (!is_met)
        .then(|| format!("missing: a JDK {OLDEST_JAVA} or newer (`java` on PATH), found {found}"))
}

fn maven() -> Option<String> {
    let is_met = shell::find("mvn").is_some();
    (!is_met).then(|| "missing: Maven, which gets Kafka (`mvn` on PATH)".to_owned())
}
