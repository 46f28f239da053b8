//! Large tables: cache lines of atomic words, zeroed by the system as they are first touched.
//!
//! Fresh memory from the system is zero already. Writing zeros once more would cost a second for
//! every few gigabytes, also for a search that hardly uses its table.

#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed};
use std::fmt;
use std::sync::atomic::AtomicU64;

/// The bytes of a cache line.
pub const LINE: usize = size_of::<Line>();

/// One cache line of words that many threads may read and write.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub struct Line(pub [AtomicU64; 8]);

/// There is not so much memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory {
    /// How many bytes were asked for.
    pub bytes: usize,
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no memory for a table of {} MiB", self.bytes >> 20)
    }
}

impl std::error::Error for OutOfMemory {}

/// So many lines, all zero.
pub fn zeroed(lines: usize) -> Result<Box<[Line]>, OutOfMemory> {
    if lines == 0 {
        return Ok(Box::default());
    }
    let too_much = OutOfMemory { bytes: lines.saturating_mul(LINE) };
    let layout = Layout::array::<Line>(lines).map_err(|_| too_much)?;
    // SAFETY: the layout is not empty, as `lines` is not 0. All-zero bytes are a valid `Line`
    // (eight atomic words), and the pointer, checked not to be null, was made by the global
    // allocator with the layout of `[Line; lines]`, which is what the box gives back.
    unsafe {
        let start = alloc_zeroed(layout).cast::<Line>();
        if start.is_null() {
            return Err(too_much);
        }
        Ok(Box::from_raw(std::ptr::slice_from_raw_parts_mut(start, lines)))
    }
}

/// Asks for a line to be brought near, as it will be read soon.
#[inline]
pub fn prefetch(line: &Line) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing and cannot fault; SSE is part of x86-64.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(line).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = line;
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;

    #[test]
    fn memory_is_zero_and_aligned() {
        let lines = zeroed(1000).unwrap();
        assert_eq!(lines.len(), 1000);
        assert_eq!(std::ptr::from_ref(&lines[0]) as usize % LINE, 0);
        assert!(lines.iter().flat_map(|line| &line.0).all(|word| word.load(Relaxed) == 0));
        assert!(zeroed(0).unwrap().is_empty());
    }

    #[test]
    fn too_much_is_refused() {
        let error = zeroed(usize::MAX / 2).unwrap_err();
        assert!(error.to_string().starts_with("no memory"), "{error}");
        assert!(zeroed(1 << 50).is_err());
    }
}
