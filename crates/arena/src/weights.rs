//! Files of weights for evaluations, which agents name in their texts.

use std::path::Path;
use std::sync::Arc;

use agon_games::WeightsSource;

use crate::files::{read_text, shown};

/// The size limit of files, in bytes: a hundred times what `agon tune` writes.
const LARGEST_FILE: u64 = 1 << 20;

/// Reads weights from any file that can be read.
#[derive(Clone, Copy, Debug)]
pub struct WeightFiles;

impl WeightsSource for WeightFiles {
    fn read(&self, file: &str) -> Result<Arc<str>, String> {
        let path = Path::new(file);
        read_text(path, LARGEST_FILE).map(Arc::from).map_err(|problem| {
            let expected = "expected a file of weights, as agon tune writes it";
            format!("weights {} cannot be used: {problem} ({expected})", shown(path))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_small_texts_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("new.txt");
        let read = || WeightFiles.read(file.to_str().unwrap());
        let told = |words: &str| {
            let problem = read().unwrap_err();
            assert!(problem.contains("new.txt") && problem.contains(words), "{problem}");
        };
        told("expected a file of weights");
        std::fs::write(&file, "pawn 100\n").unwrap();
        assert_eq!(&*read().unwrap(), "pawn 100\n");
        std::fs::write(&file, [0xff; 10]).unwrap();
        told("not UTF-8");
        std::fs::write(&file, vec![b'#'; 2 << 20]).unwrap();
        told("larger than 1 MiB");
        assert!(WeightFiles.read("/dev/zero").unwrap_err().contains("a device or a pipe"));
        assert!(WeightFiles.read("/").unwrap_err().contains("a folder"));
    }
}
