//! Which names Kafka's settings have, whose they are, and in which releases.

use highwater_core::settings::{Owner, Release};

static NAMES: &str = include_str!("names.txt");

/// The releases that have a setting, first and last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lifetime {
    /// The first of the model's releases that has it.
    pub first: Release,
    /// The last one.
    pub last: Release,
}

impl Lifetime {
    /// Whether `release` has it.
    pub fn has(self, release: Release) -> bool {
        self.first <= release && release <= self.last
    }
}

/// All names, with their owners and lifetimes.
fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    NAMES.lines().filter(|l| !l.starts_with('#')).filter_map(|l| l.split_once(' '))
}

/// Whether anybody in Kafka, of any release, has a setting of that name.
pub fn is_known(name: &str) -> bool {
    all().any(|(n, _)| n == name)
}

/// When `owner` has a setting of that name.
pub fn lifetime(name: &str, owner: Owner) -> Option<Lifetime> {
    let (_, rows) = all().find(|(n, _)| *n == name)?;
    of_owner(rows, owner)
}

/// When `owner` has a setting with these rows of the table.
fn of_owner(rows: &str, owner: Owner) -> Option<Lifetime> {
    rows.split(' ').find_map(|row| {
        let mut signs = row.chars();
        let own = signs.next() == Some(letter(owner));
        let mut release = || signs.next().and_then(|c| c.to_digit(10));
        let (first, last) = (release()?, release()?);
        let at = |n: u32| Release::ALL.get(n as usize - 1).copied();
        own.then_some(Lifetime { first: at(first)?, last: at(last)? })
    })
}

/// Whose settings have that name in `release`.
pub fn owners(name: &str, release: Release) -> impl Iterator<Item = Owner> {
    Owner::ALL.into_iter().filter(move |o| lifetime(name, *o).is_some_and(|l| l.has(release)))
}

/// The name of `owner` in `release` that was probably meant. A name that differs only in its dots,
/// blanks, hyphens or capitals is it; else one that is at most two letters, or a fifth, away.
pub fn meant(name: &str, owner: Owner, release: Release) -> Option<&'static str> {
    if name.len() > 100 {
        return None;
    }
    let has = |rows: &str| of_owner(rows, owner).is_some_and(|l| l.has(release));
    let candidates = all().filter(|(_, rows)| has(rows)).map(|(n, _)| n);
    let letters = name.as_bytes();
    let scored = candidates.map(|n| match is_swapped(letters, n.as_bytes()) {
        true => (1, n),
        false => (distance(letters, n.as_bytes()), n),
    });
    let close = scored.filter(|(d, n)| *d <= (n.len() / 5).clamp(1, 4).min(n.len() / 4));
    close.min_by_key(|(d, _)| *d).map(|(_, n)| n)
}

const fn letter(owner: Owner) -> char {
    match owner {
        Owner::Broker => 'B',
        Owner::Topic => 'T',
        Owner::Producer => 'P',
        Owner::ScalaProducer => 'S',
        Owner::Consumer => 'C',
    }
}

/// Whether two neighbouring letters have changed places.
fn is_swapped(a: &[u8], b: &[u8]) -> bool {
    let mut places = a.iter().zip(b).enumerate().filter(|(_, (x, y))| x != y).map(|(i, _)| i);
    match (places.next(), places.next(), places.next()) {
        (Some(i), Some(j), None) if a.len() == b.len() => {
            j == i + 1 && a[i] == b[j] && a[j] == b[i]
        }
        _ => false,
    }
}

/// How many letters are put in, left out, or exchanged, where `.`, `-` and `_` are one sign.
fn distance(a: &[u8], b: &[u8]) -> usize {
    const MOST: usize = 101;
    let sign = |c: u8| if matches!(c, b'-' | b'_') { b'.' } else { c.to_ascii_lowercase() };
    let mut row = [0usize; MOST + 1];
    let b = &b[..b.len().min(MOST)];
    row.iter_mut().enumerate().for_each(|(j, cell)| *cell = j);
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let exchanged = diagonal + usize::from(sign(*x) != sign(*y));
            diagonal = row[j + 1];
            row[j + 1] = exchanged.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
