//! Large tables: cache lines of atomic words, zeroed by the system on first touch, and
//! memory-mapped files.
//!
//! Fresh memory from the system is zero already: writing zeros once more would cost a second for
//! every few gigabytes, also for a search that hardly uses its table. And the system is asked for
//! large pages where it has them, as every look into a table is a jump to another page, and finding
//! small ones takes time of its own.
//!
//! The price is paid at the first touch: the system zeroes a large page then, which takes a fraction
//! of a millisecond, and in a virtual machine several. A search that has a clock must not pay it
//! there, so its table is [touched](ready) before, and a thread that plays one game after another
//! [keeps](keep_tables) the memory for the next one.

#![allow(unsafe_code)]

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::fs::File;
use std::io;
use std::marker::PhantomData;
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
    /// Whether all of it was touched, so that it is worth keeping.
    touched: bool,
}

/// So many lines, all zero. They cost nothing before they are used.
pub(crate) fn zeroed(lines: usize) -> Result<Lines, OutOfMemory> {
    if lines == 0 {
        return Ok(Lines { map: None, count: 0, touched: false });
    }
    let too_much = OutOfMemory { bytes: lines.saturating_mul(LINE) };
    let bytes = lines.checked_mul(LINE).ok_or(too_much)?;
    let map = MmapMut::map_anon(bytes).map_err(|_| too_much)?;
    // Only an optimisation: failing to get huge pages does no harm.
    #[cfg(target_os = "linux")]
    let _ = map.advise(memmap2::Advice::HugePage);
    Ok(Lines { map: Some(map), count: lines, touched: false })
}

/// So many lines, all zero and all touched: nothing has to be made ready when they are first used.
/// Memory that this thread has [kept](keep_tables) is used again.
pub fn ready(lines: usize) -> Result<Lines, OutOfMemory> {
    let kept = take_kept(lines.saturating_mul(LINE));
    let mut ready = match kept {
        Some(map) => Lines { map: Some(map), count: lines, touched: false },
        None => zeroed(lines)?,
    };
    if let Some(map) = &mut ready.map {
        map.fill(0);
    }
    ready.touched = true;
    Ok(ready)
}

impl Drop for Lines {
    fn drop(&mut self) {
        if self.touched
            && let Some(map) = self.map.take()
        {
            give_kept(map);
        }
    }
}

/// How many tables a thread keeps at most: one for every seat of a game.
const MOST_KEPT: usize = agon_core::MAX_SEATS;

thread_local! {
    /// The memory of tables that are not in use, the oldest first; none where nothing is kept.
    static KEPT: RefCell<Option<VecDeque<MmapMut>>> = const { RefCell::new(None) };
}

/// As long as this lives, its thread keeps the memory of tables that were [`ready`], a few of them,
/// for others of the same size.
#[derive(Debug)]
#[must_use = "memory is kept only as long as this lives"]
pub struct KeptTables {
    /// It belongs to its thread.
    _thread: PhantomData<*const ()>,
}

/// Begins to keep the memory of tables in this thread.
pub fn keep_tables() -> KeptTables {
    KEPT.set(Some(VecDeque::with_capacity(MOST_KEPT + 1)));
    KeptTables { _thread: PhantomData }
}

impl Drop for KeptTables {
    fn drop(&mut self) {
        // At the end of a thread everything goes anyway.
        let _ = KEPT.try_with(RefCell::take);
    }
}

/// Memory of exactly this size that was kept, as its last user left it.
fn take_kept(bytes: usize) -> Option<MmapMut> {
    KEPT.with_borrow_mut(|kept| {
        let kept = kept.as_mut()?;
        let fitting = kept.iter().rposition(|map| map.len() == bytes)?;
        kept.remove(fitting)
    })
}

/// Keeps memory if this thread does, in place of the oldest if there is too much.
fn give_kept(map: MmapMut) {
    let _ = KEPT.try_with(|kept| {
        if let Ok(mut kept) = kept.try_borrow_mut()
            && let Some(kept) = kept.as_mut()
        {
            kept.push_back(map);
            if kept.len() > MOST_KEPT {
                kept.pop_front();
            }
        }
    });
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

/// Maps a file that nobody changes in place.
///
/// # Safety
/// The file's bytes must not change as long as the map lives, whoever could change them: a new
/// version has to be written elsewhere and renamed. If the file is truncated all the same, the
/// program is ended by the system when it reads on.
pub unsafe fn map_file(file: &File) -> io::Result<MappedFile> {
    // SAFETY: the caller promises that the bytes do not change, and any bytes are valid ones.
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
pub(crate) fn prefetch(line: &Line) {
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
    fn a_thread_that_keeps_tables_uses_them_again_and_finds_them_empty() {
        let address = |lines: &Lines| std::ptr::from_ref(&lines[0]) as usize;
        let _kept = keep_tables();
        let first = ready(1000).unwrap();
        first.iter().for_each(|line| line.0[3].store(7, Relaxed));
        let (before, other) = (address(&first), ready(1000).unwrap());
        assert_ne!(address(&other), before);
        drop(first);
        assert!(take_kept(1001 * LINE).is_none(), "only memory of the same size is used again");
        let again = ready(1000).unwrap();
        assert_eq!(address(&again), before);
        assert!(again.iter().flat_map(|line| &line.0).all(|word| word.load(Relaxed) == 0));
    }

    #[test]
    fn a_thread_keeps_a_few_tables_and_only_as_long_as_it_is_told() {
        let held = || KEPT.with_borrow(|kept| kept.as_ref().map(VecDeque::len));
        drop(ready(100).unwrap());
        assert_eq!(held(), None);
        let kept = keep_tables();
        drop(zeroed(100).unwrap());
        assert_eq!(held(), Some(0), "memory that nobody touched is not worth keeping");
        drop((1..10).map(|lines| ready(lines).unwrap()).collect::<Vec<_>>());
        assert_eq!(held(), Some(MOST_KEPT));
        drop(kept);
        assert_eq!(held(), None);
    }

    #[test]
    fn files_are_read_in_place() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        // SAFETY: nobody writes to the source while its tests run.
        let map = unsafe { map_file(&File::open(&path).unwrap()) }.unwrap();
        assert_eq!(*map, *std::fs::read(path).unwrap());
    }

    #[test]
    fn too_much_is_refused() {
        let error = zeroed(usize::MAX / 2).unwrap_err();
        assert!(error.to_string().starts_with("not enough memory"), "{error}");
        assert!(zeroed(1 << 50).is_err());
    }
}
