//! The page on localhost. It is built anew when a file changes: only what depends on that file.

use crate::build::{self, Finish};
use crate::error::{Context, Error};
use crate::{docs, ensure, repo, shell};
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use tiny_http::{Header, Request, Response, Server};

const DEFAULT_PORT: u16 = 8080;
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// Where the wasm comes from.
const WASM: &[&str] = &[
    "Cargo.toml",
    "Cargo.lock",
    "core/Cargo.toml",
    "core/src",
    "ask/Cargo.toml",
    "ask/src",
    "explore/Cargo.toml",
    "explore/src",
    "web/Cargo.toml",
    "web/src",
];
/// Where the page comes from; `www/pkg` is the wasm, built.
const PAGE: &[&str] = &["index.html", "package.json", "www"];
/// Where the documents come from.
const DOCUMENTS: &[&str] = &["docs", "README.md", "CONTRIBUTING.md"];

/// `cargo xtask serve`.
pub fn run(arguments: &[String]) -> Result<(), Error> {
    let mut given = pico_args::Arguments::from_vec(arguments.iter().map(Into::into).collect());
    let port = given.opt_value_from_str("--port").context("--port")?.unwrap_or(DEFAULT_PORT);
    build::no_more(&given.finish())?;
    ensure::all(ensure::PAGE)?;
    let server = Server::http(("127.0.0.1", port))
        .context(format_args!("cannot listen on port {port} (another one: --port N)"))?;
    let out = repo::target().join("serve");
    let mut seen = Seen::now();
    build::wasm(shell::show)?;
    build::dist(&out, Finish::Quick)?;
    println!("http://localhost:{port}/");
    answer_all(server, &out);
    loop {
        thread::sleep(LOOK_EVERY);
        let now = Seen::now();
        if now != seen {
            match rebuild(&seen, &now, &out) {
                Ok(()) => println!("built anew: reload the page"),
                Err(error) => eprintln!("{error}\nstill serving what was built before"),
            }
            seen = now;
        }
    }
}

/// Prints of all that is built from.
#[derive(PartialEq, Eq)]
struct Seen {
    wasm: u64,
    page: u64,
    documents: u64,
}

impl Seen {
    fn now() -> Seen {
        Seen { wasm: print_of(WASM), page: print_of(PAGE), documents: print_of(DOCUMENTS) }
    }
}

/// A number that changes with the files' names, sizes and times.
fn print_of(places: &[&str]) -> u64 {
    let mut print = DefaultHasher::new();
    for place in places {
        let place = repo::path(place);
        let files = match place.is_dir() {
            true => repo::files_below(&place, &|path| !path.ends_with("www/pkg")),
            false => Ok(vec![place]),
        };
        for file in files.unwrap_or_default() {
            let about = fs::metadata(&file).map(|m| (m.len(), m.modified().ok())).ok();
            (file, about).hash(&mut print);
        }
    }
    print.finish()
}

fn rebuild(before: &Seen, now: &Seen, out: &Path) -> Result<(), Error> {
    if now.wasm != before.wasm {
        build::wasm(shell::show)?;
    }
    if now.wasm != before.wasm || now.page != before.page {
        build::page(out, Finish::Quick)?;
    }
    if now.documents != before.documents {
        docs::write(&out.join("docs"))?;
    }
    Ok(())
}

/// Answers from now on, in a few threads.
fn answer_all(server: Server, out: &Path) {
    let server = Arc::new(server);
    for _ in 0..4 {
        let (server, out) = (Arc::clone(&server), out.to_owned());
        thread::spawn(move || {
            for request in server.incoming_requests() {
                answer(request, &out);
            }
        });
    }
}

fn answer(request: Request, out: &Path) {
    let file = file_for(request.url()).map(|name| out.join(name));
    let found = file.and_then(|file| Some((kind_of(&file), fs::read(&file).ok()?)));
    // A reader that has gone away needs no answer.
    let _ = match found {
        Some((kind, body)) => {
            let answer = Response::from_data(body).with_header(header("Content-Type", kind));
            request.respond(answer.with_header(header("Cache-Control", "no-cache")))
        }
        None => request.respond(Response::from_string("not found\n").with_status_code(404)),
    };
}

/// The file that an address means; none if it leads out of the folder.
fn file_for(url: &str) -> Option<PathBuf> {
    let path = url.split(['?', '#']).next()?.strip_prefix('/')?;
    let index = if path.is_empty() || path.ends_with('/') { "index.html" } else { "" };
    let file = PathBuf::from(format!("{path}{index}"));
    file.components().all(|part| matches!(part, Component::Normal(_))).then_some(file)
}

fn kind_of(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("md") => "text/plain; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("png") => "image/png",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

fn header(name: &str, value: &str) -> Header {
    Header::from_bytes(name, value).expect("a header that can be written")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_stay_inside() {
        assert_eq!(file_for("/"), Some(PathBuf::from("index.html")));
        assert_eq!(file_for("/docs/?x#y"), Some(PathBuf::from("docs/index.html")));
        assert_eq!(file_for("/assets/a.js"), Some(PathBuf::from("assets/a.js")));
        assert_eq!(file_for("/../Cargo.toml"), None);
        assert_eq!(file_for("//etc/passwd"), None);
    }
}
