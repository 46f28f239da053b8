//! What an arena that was killed has left behind: empty control groups, and folders of programs at
//! level `weak`. They have its process id in their names, so the next arena finds them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process;

/// The name of something that is to be removed at the end, by a number.
pub fn name(number: u64) -> String {
    format!("agon-{}-{number}", process::id())
}

/// What is in a folder of those that are no longer running.
pub fn of_others(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let left = entries.filter(|entry| entry.file_name().to_str().is_some_and(is_left));
    left.map(|entry| entry.path()).collect()
}

fn is_left(name: &str) -> bool {
    let process = name.strip_prefix("agon-").and_then(|rest| rest.split_once('-'));
    let numbers = process.and_then(|(process, number)| {
        Some((process.parse::<u32>().ok()?, number.parse::<u64>().ok()?))
    });
    numbers.is_some_and(|(process, _)| !Path::new(&format!("/proc/{process}")).exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_dead_have_left_is_found() {
        let folder = tempfile::tempdir().unwrap();
        // No process has this number.
        let left = format!("agon-{}-3", u32::MAX);
        for name in [&name(7), &left, "agon-x-1", "agon-1", "agon-many-1", "other-4294967295-1"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        assert_eq!(of_others(folder.path()), [folder.path().join(left)]);
    }
}
