//! User files: read with limits, written atomically, and displayed safely.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::Path;

use agon_core::printable;

/// The name of a file, safe to display.
pub fn shown(path: &Path) -> String {
    printable(&path.to_string_lossy()).into_owned()
}

/// The contents of a regular file of at most `most` bytes. Pipes and devices, which may block or
/// never end, are refused before they are opened.
pub fn read_whole(file: &Path, most: u64) -> io::Result<Vec<u8>> {
    let found = fs::metadata(file)?;
    if !found.is_file() {
        let what = if found.is_dir() { "a folder" } else { "a device or a pipe" };
        let problem = format!("this is {what}; expected a regular file");
        return Err(io::Error::new(ErrorKind::InvalidInput, problem));
    }
    let mut bytes = Vec::new();
    File::open(file)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let problem = format!("it is larger than {} MiB", most >> 20);
        return Err(io::Error::new(ErrorKind::FileTooLarge, problem));
    }
    Ok(bytes)
}

/// The text of a regular file of at most `most` bytes; see [`read_whole`].
pub fn read_text(file: &Path, most: u64) -> io::Result<String> {
    let not_text = |_| io::Error::new(ErrorKind::InvalidData, "this is not UTF-8 text");
    String::from_utf8(read_whole(file, most)?).map_err(not_text)
}

/// The suffix of files that are not complete yet.
pub const PART: &str = ".part";

/// Writes a file under another name first and then renames it, so that a full disk, a crash or
/// Ctrl-C never destroys what was there before.
pub fn write_whole(file: &Path, contents: &[&[u8]]) -> io::Result<()> {
    write_whole_with(file, |out| contents.iter().try_for_each(|piece| out.write_all(piece)))
}

/// Like [`write_whole`], for contents that come piece by piece.
pub fn write_whole_with<T, E: From<io::Error>>(
    file: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let no_name = || io::Error::new(io::ErrorKind::InvalidInput, "this is not a file name");
    let mut name = file.file_name().ok_or_else(no_name)?.to_owned();
    name.push(format!(".{}{PART}", std::process::id()));
    let part = file.with_file_name(name);
    let written = write_synced(&part, write).and_then(|written| {
        fs::rename(&part, file)?;
        Ok(written)
    });
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written
}

fn write_synced<T, E: From<io::Error>>(
    file: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, E> {
    let mut out = BufWriter::new(File::create(file)?);
    let written = write(&mut out)?;
    out.flush()?;
    out.get_ref().sync_all()?;
    Ok(written)
}

/// Writes a file in a folder that belongs to this program alone, like [`write_whole`], and removes
/// incomplete files that killed runs have left there.
pub(crate) fn write_whole_and_tidy(file: &Path, contents: &[&[u8]]) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    // Whoever locks the folder is its only writer. Where folders cannot be locked, incomplete files
    // may belong to a running process, and stay.
    if let Ok(held) = File::open(folder)
        && held.lock().is_ok()
    {
        remove_unfinished(folder)?;
        write_whole(file, contents)?;
        // So that the new name is on disk as well.
        return held.sync_all();
    }
    write_whole(file, contents)
}

fn remove_unfinished(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(PART) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn only_ordinary_files_of_some_size_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "text").unwrap();
        assert_eq!(read_text(&file, 4).unwrap(), "text");
        assert_eq!(read_text(&file, 3).unwrap_err().kind(), ErrorKind::FileTooLarge);
        fs::write(&file, [0xFF]).unwrap();
        assert_eq!(read_text(&file, 3).unwrap_err().kind(), ErrorKind::InvalidData);
        let refused = read_text(folder.path(), 3).unwrap_err();
        assert!(refused.to_string().contains("a folder"), "{refused}");
        #[cfg(unix)]
        for endless in ["/dev/zero", "/dev/null"] {
            let refused = read_text(Path::new(endless), 3).unwrap_err();
            assert!(refused.to_string().contains("a device"), "{refused}");
        }
    }

    #[test]
    fn a_file_is_replaced_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        for text in ["first", "second"] {
            write_whole(&file, &[text.as_bytes(), b"!"]).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), format!("{text}!"));
        }
        assert_eq!(names(folder.path()), ["file"]);
        assert!(write_whole(Path::new("/"), &[]).is_err());
    }

    #[test]
    fn what_cannot_be_written_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let taken = folder.path().join("taken");
        fs::create_dir_all(taken.join("by a folder")).unwrap();
        assert!(write_whole(&taken, &[b"text"]).is_err());
        assert_eq!(names(folder.path()), ["taken"]);
    }

    #[test]
    fn what_fails_half_way_leaves_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        write_whole(&file, &[b"before"]).unwrap();
        let failed = write_whole_with(&file, |out| {
            out.write_all(&[b'x'; 100_000])?;
            Err::<(), _>(io::Error::other("no more"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "no more");
        assert_eq!(fs::read_to_string(&file).unwrap(), "before");
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[cfg(unix)]
    #[test]
    fn what_killed_runs_left_is_taken_away() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("inside");
        fs::create_dir(&inside).unwrap();
        fs::write(inside.join("table.4711.part"), "half").unwrap();
        write_whole_and_tidy(&inside.join("table"), &[b"whole"]).unwrap();
        assert_eq!(names(&inside), ["table"]);
    }
}
