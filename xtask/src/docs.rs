//! The documents as pages: `docs/*.md` with their anchors, every rule number a link to the rules,
//! and every link checked.

use crate::error::{Context, Error};
use crate::repo;
use pulldown_cmark::{CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd, html};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Where the numbered rules are.
const RULES: &str = "protocol.md";
/// Documents outside `docs/` whose links are checked too.
const BESIDE: &[&str] = &["README.md", "CONTRIBUTING.md", "fidelity/README.md"];

const STYLE: &str = include_str!("docs.css");

/// Renders all documents into `out`, beside copies of their sources and of their pictures.
pub fn write(out: &Path) -> Result<(), Error> {
    let folder = repo::path("docs");
    let rules = Rules::read()?;
    let mut contents = Vec::new();
    for file in repo::files_below(&folder, &|_| true)? {
        let name = file.strip_prefix(&folder).expect("a file below the folder");
        let bytes = fs::read(&file).context(format_args!("cannot read {}", file.display()))?;
        repo::write(&out.join(name), bytes)?;
        if is_document(name) {
            let page = render(&repo::read(&file)?, &rules);
            repo::write(&out.join(name).with_extension("html"), document(&page))?;
            contents.push((name.with_extension("html"), page.title));
        }
    }
    repo::write(&out.join("index.html"), document(&table_of(&contents)))
}

/// An error if a link of any document leads nowhere in the repository.
pub fn check() -> Result<(), Error> {
    let rules = Rules::read()?;
    let mut files =
        repo::files_below(&repo::path("docs"), &|path| path.is_dir() || is_document(path))?;
    files.extend(BESIDE.iter().map(|name| repo::path(name)));
    let mut broken = Vec::new();
    for file in files {
        broken.extend(broken_links(&file, &render(&repo::read(&file)?, &rules).links));
    }
    if broken.is_empty() { Ok(()) } else { Err(Error::new(broken.join("\n"))) }
}

/// The anchors of the rules page.
struct Rules(BTreeSet<String>);

impl Rules {
    fn read() -> Result<Rules, Error> {
        Ok(Rules::of(&repo::read(&repo::path("docs").join(RULES))?))
    }

    fn of(text: &str) -> Rules {
        let ids = text.split("<a id=\"").skip(1).filter_map(|rest| rest.split('"').next());
        Rules(ids.map(str::to_owned).collect())
    }

    /// The anchor of a rule number such as `R2.18` or `A13`, if there is such a rule.
    fn anchor(&self, word: &str) -> Option<String> {
        let anchor = word.to_ascii_lowercase().replace('.', "-");
        (word.starts_with(['R', 'A', 'E', 'I']) && self.0.contains(&anchor)).then_some(anchor)
    }
}

struct Page {
    title: String,
    body: String,
    /// As they are written, those to rules aside.
    links: Vec<String>,
}

fn render(markdown: &str, rules: &Rules) -> Page {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut events: Vec<Event<'_>> = Parser::new_ext(markdown, options).collect();
    let title = name_headings(&mut events);
    let mut links = Vec::new();
    let mut plain = 0_u32; // Inside a link, a heading or a code block nothing becomes a link.
    let mut shown = Vec::with_capacity(events.len());
    for event in events {
        match event {
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                plain += 1;
                links.push(dest_url.to_string());
                let dest_url = CowStr::from(rendered(&dest_url));
                shown.push(Event::Start(Tag::Link { link_type, dest_url, title, id }));
            }
            Event::Start(Tag::Image { ref dest_url, .. }) => {
                links.push(dest_url.to_string());
                shown.push(event);
            }
            Event::Text(text) if plain == 0 => link_rules(&text, rules, &mut shown),
            other => {
                let opaque = |tag: &Tag<'_>| matches!(tag, Tag::Heading { .. } | Tag::CodeBlock(_));
                plain += u32::from(matches!(&other, Event::Start(tag) if opaque(tag)));
                plain -= u32::from(matches!(
                    &other,
                    Event::End(TagEnd::Link | TagEnd::Heading(_) | TagEnd::CodeBlock)
                ));
                shown.push(other);
            }
        }
    }
    let mut body = String::new();
    html::push_html(&mut body, shown.into_iter());
    Page { title, body, links }
}

/// Gives each heading the id that its text has on the usual code hosts; returns the first one's
/// text, the title.
fn name_headings(events: &mut [Event<'_>]) -> String {
    let mut title = String::new();
    for start in 0..events.len() {
        if !matches!(events[start], Event::Start(Tag::Heading { .. })) {
            continue;
        }
        let text = events[start..]
            .iter()
            .take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))))
            .filter_map(|event| match event {
                Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
                _ => None,
            })
            .collect::<String>();
        if let Event::Start(Tag::Heading { level, id, .. }) = &mut events[start] {
            *id = Some(CowStr::from(slug(&text)));
            if *level == HeadingLevel::H1 && title.is_empty() {
                title = text;
            }
        }
    }
    title
}

fn slug(text: &str) -> String {
    let kept = text.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Text, with each rule number in it as a link to the rule.
fn link_rules<'a>(text: &str, rules: &Rules, shown: &mut Vec<Event<'a>>) {
    let in_word = |c: char| c.is_alphanumeric() || c == '.' || c == '_';
    let mut plain = 0;
    let mut at = 0;
    while at < text.len() {
        let length = text[at..].find(|c| !in_word(c)).unwrap_or(text.len() - at);
        let word = text[at..at + length].trim_end_matches('.');
        if let Some(anchor) = rules.anchor(word) {
            push_text(&text[plain..at], shown);
            let dest_url = CowStr::from(format!("protocol.html#{anchor}"));
            let (title, id) = (CowStr::from(""), CowStr::from(""));
            let link_type = LinkType::Inline;
            shown.push(Event::Start(Tag::Link { link_type, dest_url, title, id }));
            push_text(word, shown);
            shown.push(Event::End(TagEnd::Link));
            plain = at + word.len();
        }
        at += length;
        at += text[at..].chars().next().map_or(0, char::len_utf8);
    }
    push_text(&text[plain..], shown);
}

fn push_text(text: &str, shown: &mut Vec<Event<'_>>) {
    if !text.is_empty() {
        shown.push(Event::Text(CowStr::from(text.to_owned())));
    }
}

/// Where a link leads on the rendered page: other documents are pages beside it, the rest of the
/// repository is where its source is published.
fn rendered(link: &str) -> String {
    if let Some(place) = link.strip_prefix("../") {
        return format!("{}/blob/main/{place}", env!("CARGO_PKG_REPOSITORY"));
    }
    if link.contains("://") { link.to_owned() } else { link.replacen(".md", ".html", 1) }
}

/// Links of a document that lead nowhere in the repository.
fn broken_links(file: &Path, links: &[String]) -> Vec<String> {
    let folder = file.parent().expect("a file lies in a folder");
    let ours = links.iter().filter(|link| !link.contains(':'));
    let broken = ours.filter(|link| {
        let place = link.split(['#', '?']).next().unwrap_or_default();
        !place.is_empty() && !folder.join(place).exists()
    });
    let name = file.strip_prefix(repo::root()).unwrap_or(file).display();
    broken.map(|link| format!("{name}: there is no {link}")).collect()
}

fn is_document(name: &Path) -> bool {
    name.extension().is_some_and(|extension| extension == "md")
}

fn table_of(contents: &[(PathBuf, String)]) -> Page {
    let mut body = String::from("<h1>Highwater: documents</h1>\n<ul>\n");
    for (file, title) in contents {
        let mut text = String::new();
        html::push_html(&mut text, std::iter::once(Event::Text(CowStr::from(title.as_str()))));
        body += &format!("<li><a href=\"{}\">{text}</a></li>\n", file.display());
    }
    body += "</ul>\n";
    Page { title: "Highwater: documents".to_owned(), body, links: Vec::new() }
}

/// The whole page. It runs no script and loads nothing but pictures.
fn document(page: &Page) -> String {
    let mut title = String::new();
    html::push_html(&mut title, std::iter::once(Event::Text(CowStr::from(page.title.as_str()))));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <nav><a href=\"../index.html\">Highwater</a> <a href=\"index.html\">documents</a></nav>\n\
         <main>\n{}</main>\n</body>\n</html>\n",
        page.body
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> Rules {
        Rules::of("<a id=\"r2-18\"></a> <a id=\"a1\"></a> <a id=\"r2-17-5\"></a>")
    }

    #[test]
    fn rule_numbers_become_links() {
        let page =
            render("HW moves (R2.18). See A1, R2.17.5; not R9.9, A2, `A1` or XA1.", &rules());
        let hrefs: Vec<&str> = page.body.split("href=\"").skip(1).collect();
        assert_eq!(hrefs.len(), 3, "{}", page.body);
        assert!(page.body.contains("<a href=\"protocol.html#r2-18\">R2.18</a>). See"));
        assert!(
            page.body.contains("#r2-17-5\">R2.17.5</a>; not R9.9, A2, <code>A1</code> or XA1.")
        );
    }

    #[test]
    fn anchors_stay_and_headings_get_ids() {
        let page = render(
            "# A title\n\n- <a id=\"r2-18\"></a>**R2.18** text\n\n## Hello, `x` 世界\n",
            &rules(),
        );
        assert_eq!(page.title, "A title");
        assert!(page.body.contains("<a id=\"r2-18\"></a><strong><a href="));
        assert!(page.body.contains("<h2 id=\"hello-x-世界\">"));
    }

    #[test]
    fn links_are_rewritten_and_checked() {
        assert_eq!(rendered("embedding.md#size"), "embedding.html#size");
        assert!(rendered("../fidelity/traces/").ends_with("/blob/main/fidelity/traces/"));
        let here = repo::path("docs/x.md");
        let links = ["protocol.md#r1-1", "#here", "https://example.com", "nowhere.md"];
        let broken = broken_links(&here, &links.map(str::to_owned));
        assert_eq!(broken, ["docs/x.md: there is no nowhere.md"]);
    }
}
