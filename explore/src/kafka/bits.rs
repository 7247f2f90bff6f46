//! Fields of a few bits in a row of words.

/// Writes fields one after the other.
pub struct Writer<const W: usize> {
    words: [u64; W],
    at: u32,
}

/// Reads them in the same order.
pub struct Reader<'a, const W: usize> {
    words: &'a [u64; W],
    at: u32,
}

/// How many bits the numbers 0 … `most` take.
pub const fn width(most: u32) -> u32 {
    u32::BITS - most.leading_zeros()
}

impl<const W: usize> Writer<W> {
    pub fn new() -> Writer<W> {
        Writer { words: [0; W], at: 0 }
    }

    #[inline]
    pub fn put(&mut self, value: u32, width: u32) {
        debug_assert!(u64::from(value) < 1 << width, "{value} in {width} bits");
        let (word, bit) = ((self.at / 64) as usize, self.at % 64);
        if width > 0 {
            self.words[word] |= u64::from(value) << bit;
            if bit + width > 64 {
                self.words[word + 1] |= u64::from(value) >> (64 - bit);
            }
        }
        self.at += width;
    }

    pub fn words(self) -> [u64; W] {
        self.words
    }
}

impl<'a, const W: usize> Reader<'a, W> {
    pub fn new(words: &'a [u64; W]) -> Reader<'a, W> {
        Reader { words, at: 0 }
    }

    #[inline]
    pub fn take(&mut self, width: u32) -> u32 {
        let (word, bit) = ((self.at / 64) as usize, self.at % 64);
        self.at += width;
        if width == 0 {
            return 0;
        }
        let mut value = self.words[word] >> bit;
        if bit + width > 64 {
            value |= self.words[word + 1] << (64 - bit);
        }
        (value & ((1 << width) - 1)) as u32
    }
}
