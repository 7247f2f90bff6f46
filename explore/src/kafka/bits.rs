//! Fields of a few bits in one word.

/// How many bits the numbers 0 … `most` take.
pub const fn width(most: u32) -> u32 {
    u32::BITS - most.leading_zeros()
}

/// Something that is written, or read, field by field in one order.
pub trait Fields {
    /// A number of so many bits.
    fn field(&mut self, value: &mut u8, width: u32);

    /// One bit.
    #[inline(always)]
    fn flag(&mut self, value: &mut bool) {
        let mut bit = u8::from(*value);
        self.field(&mut bit, 1);
        *value = bit != 0;
    }
}

/// Writes fields one after the other.
#[derive(Default)]
pub struct Writer {
    pub word: u64,
    at: u32,
}

/// Reads them in the same order.
pub struct Reader(pub u64);

/// Counts their bits.
#[derive(Default)]
pub struct Counter(pub u32);

impl Fields for Writer {
    #[inline(always)]
    fn field(&mut self, value: &mut u8, width: u32) {
        debug_assert!(u64::from(*value) < 1 << width, "{value} in {width} bits");
        self.word |= u64::from(*value) << (self.at & 63);
        self.at += width;
    }
}

impl Fields for Reader {
    #[inline(always)]
    fn field(&mut self, value: &mut u8, width: u32) {
        *value = (self.0 & ((1 << width) - 1)) as u8;
        self.0 >>= width;
    }
}

impl Fields for Counter {
    fn field(&mut self, _: &mut u8, width: u32) {
        self.0 += width;
    }
}

/// Puts pieces of so many bits behind one another.
pub struct Joined<const W: usize> {
    pub words: [u64; W],
    at: u32,
}

impl<const W: usize> Joined<W> {
    pub fn new() -> Joined<W> {
        Joined { words: [0; W], at: 0 }
    }

    #[inline]
    pub fn push(&mut self, piece: u64, width: u32) {
        let (word, bit) = ((self.at / 64) as usize, self.at % 64);
        self.words[word] |= piece << bit;
        if bit + width > 64 {
            self.words[word + 1] |= piece >> (64 - bit);
        }
        self.at += width;
    }
}

/// The piece of so many bits that begins at bit `at`.
#[inline]
pub fn piece<const W: usize>(words: &[u64; W], at: u32, width: u32) -> u64 {
    let (word, bit) = ((at / 64) as usize, at % 64);
    let mut piece = words[word] >> bit;
    if bit + width > 64 {
        piece |= words[word + 1] << (64 - bit);
    }
    if width < 64 { piece & ((1 << width) - 1) } else { piece }
}
