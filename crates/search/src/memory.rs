//! Large tables: cache lines of atomic words, zeroed by the system on first touch, and
//! memory-mapped files.
//!
//! Fresh memory from the system is already zero: zeroing it again would cost a second for every few
//! gigabytes, even for a search that hardly uses its table. Huge pages are requested where
//! available, as every probe of a table goes to another page, and TLB misses on small ones are
//! expensive.

#![allow(unsafe_code)]

use std::fmt;
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::sync::atomic::AtomicU64;

use memmap2::{Mmap, MmapMut};

/// The bytes of a cache line.
pub const LINE: usize = size_of::<Line>();

/// One cache line of words that many threads may read and write.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub struct Line(pub [AtomicU64; 8]);

/// Not enough memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory {
    /// The number of bytes requested.
    pub bytes: usize,
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not enough memory for a table of {} MiB", self.bytes >> 20)
    }
}

impl std::error::Error for OutOfMemory {}

/// Cache lines, mapped directly from the system.
#[derive(Debug)]
pub struct Lines {
    /// None where there are no lines.
    map: Option<MmapMut>,
    count: usize,
}

/// This many lines, all zero.
pub fn zeroed(lines: usize) -> Result<Lines, OutOfMemory> {
    if lines == 0 {
        return Ok(Lines { map: None, count: 0 });
    }
    let too_much = OutOfMemory { bytes: lines.saturating_mul(LINE) };
    let bytes = lines.checked_mul(LINE).ok_or(too_much)?;
    let map = MmapMut::map_anon(bytes).map_err(|_| too_much)?;
    // Only an optimisation: failing to get huge pages does no harm.
    #[cfg(target_os = "linux")]
    let _ = map.advise(memmap2::Advice::HugePage);
    Ok(Lines { map: Some(map), count: lines })
}

impl Deref for Lines {
    type Target = [Line];

    #[inline]
    fn deref(&self) -> &[Line] {
        let Some(map) = &self.map else { return &[] };
        // SAFETY: the map is as long as `count` lines and begins on a page, so it is aligned for
        // them. Zeros, and whatever words are stored later, are valid lines of atomic words. The
        // map is never touched but through these lines, and lives as long as they are borrowed.
        unsafe { std::slice::from_raw_parts(map.as_ptr().cast(), self.count) }
    }
}

/// A file's bytes, memory-mapped.
#[derive(Debug)]
pub struct MappedFile(Mmap);

/// Maps a file that nobody changes in place: one that is only ever replaced as a whole, by another
/// of the same name. Who truncates it all the same ends this program when it reads on.
pub fn map_file(file: &File) -> io::Result<MappedFile> {
    // SAFETY: the bytes must not change while they are borrowed. Files of this program are written
    // under another name and renamed then, so the mapped one stays as it is; and any bytes at all
    // are valid ones.
    let map = unsafe { Mmap::map(file)? };
    Ok(MappedFile(map))
}

impl Deref for MappedFile {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

/// Prefetches a line that will be read soon.
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
    fn files_are_read_in_place() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let map = map_file(&File::open(&path).unwrap()).unwrap();
        assert_eq!(*map, *std::fs::read(path).unwrap());
    }

    #[test]
    fn too_much_is_refused() {
        let error = zeroed(usize::MAX / 2).unwrap_err();
        assert!(error.to_string().starts_with("not enough memory"), "{error}");
        assert!(zeroed(1 << 50).is_err());
    }
}
