//! How much of what a run leaves out is held back in a scenario.

/// How much is held back that a run leaves out. The least that will do makes the best story.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hold {
    /// Which fetches are held back.
    pub links: Held,
    /// Whether a fetch that finds nothing new waits long, so that followers hear late of the HW.
    pub slow_hw: bool,
    /// To whom news of the stored state comes late.
    pub deaf: Deaf,
    /// `broker.session.timeout.ms`. A broker that is answered late must not be fenced for it.
    pub session: u64,
    /// Whether a broker that is to be fenced before one that has died earlier loses its session while
    /// it still lives.
    pub parts: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Held {
    /// None.
    Nothing,
    /// Those that the run leaves out, of those that the model could have made.
    Possible,
    /// All that the run leaves out.
    All,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Deaf {
    Nobody,
    Leaders,
    Everybody,
}

pub(super) const HOLDS: [Hold; 16] = [
    hold(false, Deaf::Nobody, 9_000),
    hold(true, Deaf::Nobody, 9_000),
    hold(false, Deaf::Leaders, 9_000),
    hold(true, Deaf::Leaders, 9_000),
    hold(true, Deaf::Everybody, 9_000),
    hold(false, Deaf::Nobody, 90_000),
    hold(true, Deaf::Nobody, 90_000),
    hold(true, Deaf::Leaders, 90_000),
    hold(true, Deaf::Everybody, 90_000),
    Hold { parts: true, ..hold(false, Deaf::Nobody, 9_000) },
    Hold { parts: true, ..hold(true, Deaf::Leaders, 9_000) },
    Hold { parts: true, ..hold(false, Deaf::Nobody, 90_000) },
    Hold { parts: true, ..hold(true, Deaf::Everybody, 90_000) },
    Hold { links: Held::Nothing, ..SLOW_HW },
    Hold { links: Held::All, session: 90_000, ..SLOW_HW },
    Hold { links: Held::All, session: 90_000, parts: false, deaf: Deaf::Leaders, ..SLOW_HW },
];

pub(super) const SLOW_HW: Hold =
    Hold { slow_hw: true, parts: true, ..hold(false, Deaf::Nobody, 9_000) };

pub(super) const fn hold(all_links: bool, deaf: Deaf, session: u64) -> Hold {
    let links = if all_links { Held::All } else { Held::Possible };
    Hold { links, slow_hw: false, deaf, session, parts: false }
}

impl Hold {
    /// From a process's last heartbeat to its fencing: the session and a look.
    pub fn fenced(self) -> u64 {
        self.session + self.session / 8 + 1_000
    }

    /// How long a fetch that finds nothing new waits, and until it counts as lost.
    pub fn wait(self) -> u64 {
        if self.slow_hw { 20_000 } else { 500 }
    }

    /// A cut link is quiet after so long: a parked fetch has come back, and the next one is lost.
    pub fn quiet(self) -> u64 {
        self.wait() + 700
    }

    /// A healed link carries the next fetch within this: the lost one times out, and a pause follows.
    pub fn healed(self) -> u64 {
        self.wait() + 2_000
    }

    /// How late news is that is held back. Heartbeats are answered as late.
    pub fn late(self) -> u64 {
        self.session - 2_500
    }
}
