//! The numbers to hold, measured in one run: sizes, first visits, events a second natively and in
//! wasm, seeking, frames. The browser's part is `www/bench/run.mjs`.

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
    build::wasm(|command| shell::catch(command).map(drop))?;
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
    first_frame_gzip_bytes: f64,
    engine_gzip_bytes: f64,
    embed_js_gzip_bytes: f64,
    explore_gzip_bytes: f64,
    explored_per_s_native: f64,
    slow: Visit,
    fast: Visit,
    events: f64,
    share_of_work: f64,
    events_per_s_native: f64,
    chromium: InBrowser,
    firefox: InBrowser,
}

/// A first visit on one kind of line, in Chromium.
struct Visit {
    first_frame_ms: f64,
    engine_ready_ms: f64,
}

struct InBrowser {
    events_per_s: f64,
    seek_ms: f64,
    frame_ms: f64,
    frames: f64,
    explored: Explored,
}

/// What the explorer takes in a browser.
struct Explored {
    per_s: f64,
    cold_ms: f64,
    bytes_per_state: f64,
    kafka_per_s: f64,
    shortest_loss_ms: f64,
    safe_ms: f64,
}

impl Explored {
    fn of(measured: &Value) -> Result<Explored, Error> {
        Ok(Explored {
            per_s: number(measured, "perSecond")?,
            cold_ms: number(measured, "coldMs")?,
            bytes_per_state: number(measured, "bytesPerState")?,
            kafka_per_s: number(measured, "kafkaPerSecond")?,
            shortest_loss_ms: number(measured, "shortestLossMs")?,
            safe_ms: number(measured, "safeMs")?,
        })
    }
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
                explored: Explored::of(&measured["explore"])?,
            })
        };
        let visit = |line: &str| -> Result<Visit, Error> {
            Ok(Visit {
                first_frame_ms: number(&browsers["loads"], &format!("frameMs{line}"))?,
                engine_ready_ms: number(&browsers["loads"], &format!("engineMs{line}"))?,
            })
        };
        Ok(Numbers {
            first_frame_gzip_bytes: number(sizes, "firstFrame")?,
            engine_gzip_bytes: number(sizes, "engine")?,
            embed_js_gzip_bytes: number(sizes, "embed")?,
            explore_gzip_bytes: number(sizes, "explore")?,
            explored_per_s_native: number(native, "explored_per_s")?,
            slow: visit("Slow")?,
            fast: visit("Fast")?,
            events,
            share_of_work: number(native, "share")?,
            events_per_s_native: events / number(native, "seconds")?,
            chromium: in_browser("chromium")?,
            firefox: in_browser("firefox")?,
        })
    }

    fn line(&self) -> String {
        let rounded = |value: f64, per_unit: f64| (value * per_unit).round() / per_unit;
        let explored = &self.chromium.explored;
        json!({
            "first_frame_gzip_bytes": self.first_frame_gzip_bytes,
            "engine_gzip_bytes": self.engine_gzip_bytes,
            "first_frame_ms_slow": self.slow.first_frame_ms.round(),
            "engine_ready_ms_slow": self.slow.engine_ready_ms.round(),
            "first_frame_ms_fast": self.fast.first_frame_ms.round(),
            "engine_ready_ms_fast": self.fast.engine_ready_ms.round(),
            "embed_js_gzip_bytes": self.embed_js_gzip_bytes,
            "events_per_s_native": self.events_per_s_native.round(),
            "events_per_s_wasm": self.chromium.events_per_s.round(),
            "wasm_over_native": rounded(self.chromium.events_per_s / self.events_per_s_native, 1000.0),
            "seek_ms_10min": rounded(self.chromium.seek_ms, 100.0),
            "frame_script_ms_50x1000": rounded(self.chromium.frame_ms, 100.0),
            "explore_wasm_gzip_bytes": self.explore_gzip_bytes,
            "explore_distinct_per_s_native": self.explored_per_s_native.round(),
            "explore_distinct_per_s_wasm": explored.per_s.round(),
            "explore_cold_ms_kip320_3": explored.cold_ms.round(),
            "explore_bytes_per_state": rounded(explored.bytes_per_state, 10.0),
            "explore_kafka_per_s_wasm": explored.kafka_per_s.round(),
            "explore_shortest_loss_ms": rounded(explored.shortest_loss_ms, 10.0),
            "explore_safe_ms": explored.safe_ms.round(),
        })
        .to_string()
    }

    fn table(&self) -> String {
        let Numbers { chromium, firefox, slow, fast, .. } = self;
        let kb = |bytes: f64| format!("{:.1} KB", bytes / 1024.0);
        let ms = |value: f64| format!("{value:.1} ms");
        let million = |value: f64| format!("{:.2} M", value / 1e6);
        let ratio = |value: f64| format!("{:.2}", value / self.events_per_s_native);
        let one = |what, measured, goal| [what, measured, String::new(), goal];
        let two = |what, measured, firefox, goal| [what, measured, firefox, goal];
        let rows = [
            two(text(""), text("measured"), text("Firefox"), text("to hold")),
            one(text("first frame, gzip"), kb(self.first_frame_gzip_bytes), text("≤ 60 KB")),
            one(text("engine, gzip"), kb(self.engine_gzip_bytes), text("≤ 350 KB")),
            one(text("embed.js, gzip"), kb(self.embed_js_gzip_bytes), text("≤ 2 KB")),
            one(text("first frame, 1.6 Mbit/s"), ms(slow.first_frame_ms), text("≤ 900 ms")),
            one(text("engine ready, 1.6 Mbit/s"), ms(slow.engine_ready_ms), text("≤ 3,000 ms")),
            one(text("first frame, 10 Mbit/s"), ms(fast.first_frame_ms), text("≤ 450 ms")),
            one(text("engine ready, 10 Mbit/s"), ms(fast.engine_ready_ms), text("≤ 800 ms")),
            one(text("events/s, native"), million(self.events_per_s_native), text("")),
            two(
                text("events/s, wasm"),
                million(chromium.events_per_s),
                million(firefox.events_per_s),
                text("≥ 1.6 M"),
            ),
            two(
                text("wasm over native"),
                ratio(chromium.events_per_s),
                ratio(firefox.events_per_s),
                text("≥ 0.75"),
            ),
            two(
                text("seek in 10 minutes, worst"),
                ms(chromium.seek_ms),
                ms(firefox.seek_ms),
                text("≤ 16 ms"),
            ),
            two(
                text("script per frame, 50 × 1,000, p95"),
                ms(chromium.frame_ms),
                ms(firefox.frame_ms),
                text("< 8 ms"),
            ),
        ];
        let explorer = self.explorer_rows();
        let lines = rows.iter().chain(&explorer).map(|[what, measured, firefox, goal]| {
            format!("{what:<34} {measured:>10} {firefox:>10}   {goal}\n")
        });
        let table: String = lines.collect();
        format!(
            "{table}\nThe first column is Chromium's. Throughput: {} events, {:.0} % of them produces \
             and fetches with records. Frames: {} and {}.\n",
            self.events,
            self.share_of_work * 100.0,
            chromium.frames,
            firefox.frames
        )
    }
}

impl Numbers {
    fn explorer_rows(&self) -> [[String; 4]; 8] {
        let (chromium, firefox) = (&self.chromium.explored, &self.firefox.explored);
        let million = |value: f64| format!("{:.2} M", value / 1e6);
        let row = |what: &str, of: &dyn Fn(&Explored) -> String, goal: &str| {
            [text(what), of(chromium), of(firefox), text(goal)]
        };
        let kb = format!("{:.1} KB", self.explore_gzip_bytes / 1024.0);
        let native = million(self.explored_per_s_native);
        [
            [text("explorer, gzip"), kb, String::new(), text("≤ 120 KB")],
            [text("states/s, KIP-320, native"), native, String::new(), String::new()],
            row("states/s, KIP-320, wasm", &|e| million(e.per_s), "≥ 1.5 M"),
            row("whole space, cold", &|e| format!("{:.0} ms", e.cold_ms), "≤ 1,000 ms"),
            row("bytes a state at 10 M", &|e| format!("{:.1}", e.bytes_per_state), "≤ 40"),
            row("states/s, Kafka 4.4, wasm", &|e| million(e.kafka_per_s), "≥ 0.7 M"),
            row(
                "shortest loss, worst, cold",
                &|e| format!("{:.0} ms", e.shortest_loss_ms),
                "≤ 100 ms",
            ),
            row("durability recipe, safe", &|e| format!("{:.0} ms", e.safe_ms), "≤ 3,000 ms"),
        ]
    }
}

fn text(words: &str) -> String {
    words.to_owned()
}

fn number(value: &Value, name: &str) -> Result<f64, Error> {
    value[name].as_f64().ok_or_else(|| Error::new(format!("no number {name} in {value}")))
}
