//! Words of bits as bytes, one for each bit.

use crate::families::Word;

/// For each byte, its bits as bytes.
const SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= ((byte as u64 >> bit) & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Writes a byte for each bit of words, as many as `out` has room for.
#[cfg(feature = "lanes")]
#[inline]
pub(crate) fn spread(words: &[u64], out: &mut [u8]) {
    #[cfg(target_arch = "x86_64")]
    if crate::bits::vectors() == crate::bits::Vectors::Sixteen {
        // SAFETY: the processor has just said that it has these instructions.
        return unsafe { wide::spread(words, out) };
    }
    for (word, bytes) in words.iter().zip(out.chunks_mut(64)) {
        for (eight, bits) in bytes.chunks_mut(8).zip(word.to_le_bytes()) {
            let spread = SPREAD[bits as usize].to_le_bytes();
            match <&mut [u8; 8]>::try_from(&mut *eight) {
                Ok(whole) => *whole = spread,
                Err(_) => eight.copy_from_slice(&spread[..eight.len()]),
            }
        }
    }
}

/// Adds a one for each bit of words to bytes that are noughts or ones, each word's where its codes are; words beyond the last
/// byte are left out.
#[inline]
pub(crate) fn add_words(words: &[Word], bytes: &mut [u8]) {
    #[cfg(target_arch = "x86_64")]
    if crate::bits::vectors() == crate::bits::Vectors::Sixteen {
        // SAFETY: the processor has just said that it has these instructions.
        return unsafe { wide::add_words(words, bytes) };
    }
    for word in words {
        let Some(block) = block_of(word, bytes).filter(|_| word.bits != 0) else { continue };
        let (eights, _) = block.as_chunks_mut::<8>();
        for (eight, bits) in eights.iter_mut().zip(word.bits.to_le_bytes()) {
            *eight = (u64::from_le_bytes(*eight) | SPREAD[bits as usize]).to_le_bytes();
        }
    }
}

/// Makes the bytes that [`add_words`] writes noughts.
#[inline]
pub(crate) fn wipe_words(words: &[Word], bytes: &mut [u8]) {
    for word in words.iter().filter(|word| word.bits != 0) {
        block_of(word, bytes).into_iter().for_each(|block| *block = [0; 64]);
    }
}

/// The bytes of a word's codes.
#[inline(always)]
fn block_of<'b>(word: &Word, bytes: &'b mut [u8]) -> Option<&'b mut [u8; 64]> {
    let start = word.first as usize;
    bytes.get_mut(start..start + 64)?.try_into().ok()
}

/// The same sixty-four bytes at a time.
#[cfg(target_arch = "x86_64")]
mod wide {
    use super::{Word, block_of};
    use std::arch::x86_64::{
        _mm512_loadu_si512, _mm512_maskz_set1_epi8, _mm512_or_si512, _mm512_storeu_si512,
    };

    #[cfg(feature = "lanes")]
    #[target_feature(enable = "avx512f,avx512bw")]
    pub fn spread(words: &[u64], out: &mut [u8]) {
        use std::arch::x86_64::_mm512_mask_storeu_epi8;
        for (&word, bytes) in words.iter().zip(out.chunks_mut(64)) {
            let ones = _mm512_maskz_set1_epi8(word, 1);
            let room = u64::MAX >> (64 - bytes.len());
            // SAFETY: no more is written than there is room for.
            unsafe { _mm512_mask_storeu_epi8(bytes.as_mut_ptr().cast(), room, ones) };
        }
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    pub fn add_words(words: &[Word], bytes: &mut [u8]) {
        for word in words {
            let Some(block) = block_of(word, bytes) else { continue };
            let (at, ones) = (block.as_mut_ptr(), _mm512_maskz_set1_epi8(word.bits, 1));
            // SAFETY: a block has sixty-four bytes.
            unsafe {
                let before = _mm512_loadu_si512(at.cast());
                _mm512_storeu_si512(at.cast(), _mm512_or_si512(before, ones));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_bits() {
        let words = [0x8000_0000_0000_0001, 0x0123_4567_89AB_CDEF];
        for room in [1, 7, 8, 63, 64, 65, 121, 128] {
            let mut out = vec![7; room];
            spread(&words, &mut out);
            let bit = |at: usize| (words[at / 64] >> (at % 64) & 1) as u8;
            assert!((0..room).all(|at| out[at] == bit(at)));
        }
    }

    #[test]
    fn words_are_added_where_their_codes_are_and_wiped() {
        let word = |first, bits| Word { first, tag: 0, bits };
        let words = [word(64, 0b101), word(0, 1 << 63), word(64, 0b10), word(128, 1)];
        let mut mask = vec![0; 128];
        add_words(&words, &mut mask);
        let ones: Vec<usize> = (0..128).filter(|&at| mask[at] == 1).collect();
        assert_eq!(ones, [63, 64, 65, 66]);
        wipe_words(&words, &mut mask);
        assert!(mask.iter().all(|&byte| byte == 0));
    }
}
