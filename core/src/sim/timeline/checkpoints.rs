use crate::sim::World;
use alloc::vec::Vec;

/// How many events lie between two checkpoints at first, for a world of up to that many replicas;
/// larger ones have fewer, since each costs more to keep.
const SPACING: u32 = 4096;
/// The most checkpoints of a small world; beyond it every other one goes, and the spacing doubles.
const MAX_CHECKPOINTS: usize = 512;
/// The fewest that even the largest world may have.
const MIN_CHECKPOINTS: usize = 8;
/// How many replicas all checkpoints together may hold.
const MAX_REPLICAS: usize = 25_000;

/// Worlds of the past, sparse and in order of time. The beginning is not among them: a script makes
/// that again.
#[derive(Clone, Debug)]
pub(super) struct Checkpoints {
    kept: Vec<World>,
    spacing: u32,
}

impl Default for Checkpoints {
    fn default() -> Checkpoints {
        Checkpoints { kept: Vec::new(), spacing: SPACING }
    }
}

impl Checkpoints {
    /// Keeps a world if it is far enough from the last one.
    pub fn keep(&mut self, world: &World) {
        let last = self.kept.last().map_or(0, |w| w.steps);
        if world.steps < last.saturating_add(self.spacing) {
            return;
        }
        let replicas: usize = world.brokers.iter().map(|b| b.replicas.len()).sum();
        let most = (MAX_REPLICAS / replicas.max(1)).clamp(MIN_CHECKPOINTS, MAX_CHECKPOINTS);
        if self.kept.len() >= most {
            let mut index = 0;
            self.kept.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.spacing *= 2;
        }
        self.kept.push(world.clone());
    }

    /// The newest that `fits`.
    pub fn newest(&self, fits: impl Fn(&World) -> bool) -> Option<&World> {
        self.kept.iter().rfind(|w| fits(w))
    }

    /// Forgets what lies more than that many steps from the beginning.
    pub fn cut(&mut self, steps: u32) {
        self.kept.retain(|w| w.steps <= steps);
    }

    /// All of them.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut World> {
        self.kept.iter_mut()
    }
}
