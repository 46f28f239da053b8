//! What a program may see: the system's folders, its interpreter's, and its own.

use std::collections::BTreeSet;
use std::env;
use std::path::{Component, Path, PathBuf};

/// Folders with programs and libraries.
pub(crate) const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/nix/store",
    "/gnu/store",
    "/sys/devices/system/cpu",
];

/// Settings that loaders and interpreters read. Nothing here is a secret.
pub(crate) const SETTINGS: &[&str] = &[
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/alternatives",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/os-release",
    "/etc/mime.types",
    "/etc/python3",
    "/etc/python3.11",
    "/etc/python3.12",
    "/etc/python3.13",
    "/etc/java",
    "/etc/java-8-openjdk",
    "/etc/java-11-openjdk",
    "/etc/java-17-openjdk",
    "/etc/java-21-openjdk",
    "/etc/java-25-openjdk",
    "/etc/mono",
    "/etc/dotnet",
    "/etc/ghc",
];

/// Names of the folders in which a package keeps its programs. What they need is beside them.
const PROGRAM_FOLDERS: &[&str] = &["bin", "sbin", "libexec", "shims", "Scripts"];

/// Folders that must not be shown, nor a folder that contains one of them.
#[derive(Clone, Default, Debug)]
pub struct Private {
    folders: Vec<PathBuf>,
}

impl Private {
    /// The user's home, where keys are, and these folders.
    pub fn with(folders: impl IntoIterator<Item = PathBuf>) -> Private {
        let home = env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
        let root = Some(PathBuf::from("/"));
        let all = home.into_iter().chain(folders).chain(root);
        let mut both = Vec::new();
        for folder in all {
            both.extend(folder.canonicalize().ok());
            both.push(folder);
        }
        Private { folders: both }
    }

    /// Whether showing this folder would show a private one.
    fn is_in(&self, folder: &Path) -> bool {
        self.folders.iter().any(|private| private.starts_with(folder))
    }
}

/// The paths that a program needs to see, given the files its command names. A file's folder is
/// shown with it, unless something private is in there: then only the file is. What somebody asked
/// for is shown in any case.
pub fn readable(
    program: &Path,
    files: &[PathBuf],
    asked_for: &[PathBuf],
    private: &Private,
) -> Vec<PathBuf> {
    let mut paths = BTreeSet::new();
    for step in chain(program) {
        let package = package(&step).filter(|folder| !private.is_in(folder));
        add(&mut paths, package.unwrap_or(step), private);
    }
    for file in files.iter().flat_map(|file| chain(file)) {
        match file.parent().filter(|folder| !private.is_in(folder)) {
            Some(folder) => add(&mut paths, folder.to_path_buf(), private),
            None => add(&mut paths, file, private),
        }
    }
    let nothing_is_private = Private::default();
    let asked_for = asked_for.iter().flat_map(|path| chain(path));
    asked_for.for_each(|path| add(&mut paths, path, &nothing_is_private));
    // What is inside another is shown with it.
    let inside = |path: &Path| path.ancestors().skip(1).any(|above| paths.contains(above));
    paths.iter().filter(|path| !inside(path) && !is_system(path)).cloned().collect()
}

fn add(paths: &mut BTreeSet<PathBuf>, path: PathBuf, private: &Private) {
    if path.is_absolute() && path.symlink_metadata().is_ok() && !private.is_in(&path) {
        paths.insert(path);
    }
}

fn is_system(path: &Path) -> bool {
    SYSTEM.iter().any(|folder| path.starts_with(folder))
}

/// A file, and what it links to, step by step: interpreters find their libraries by that.
fn chain(file: &Path) -> Vec<PathBuf> {
    let goes_up = file.components().any(|part| part == Component::ParentDir);
    // What is above a link is not what is written before it.
    let first = file.canonicalize().ok().filter(|_| goes_up);
    let mut steps = vec![first.unwrap_or_else(|| tidy(file))];
    while let Some(target) = steps.last().and_then(|last| {
        let target = last.read_link().ok()?;
        Some(tidy(&last.parent()?.join(target)))
    }) {
        if steps.contains(&target) || steps.len() > 40 {
            break;
        }
        steps.push(target);
    }
    steps.extend(file.canonicalize());
    steps
}

/// A path without `.` and `..`.
fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(tidy.pop()),
            Component::CurDir => {}
            part => tidy.push(part),
        }
    }
    tidy
}

/// The folder of the package that a program belongs to: what is above its `bin`. A program that is
/// elsewhere has only its own folder.
fn package(program: &Path) -> Option<PathBuf> {
    let folder = program.parent()?;
    let is_bin =
        folder.file_name().is_some_and(|name| PROGRAM_FOLDERS.iter().any(|it| name == *it));
    // A user's programs are beside the user's keyrings.
    let local = Path::new(".local/bin");
    match is_bin && !folder.ends_with(local) {
        true => folder.parent().map(Path::to_path_buf),
        false => Some(folder.to_path_buf()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_program_sees_its_package_and_the_folders_of_its_files() {
        let root = tempfile::tempdir().unwrap();
        let at = |path: &str| root.path().join(path);
        for folder in ["venv/bin", "python/bin", "python/lib", "bots/one", "data", "tools"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        for file in ["python/bin/python3.11", "bots/one/agent.py", "data/games.db", "agent.sh"] {
            fs::write(at(file), "").unwrap();
        }
        symlink("python3.11", at("python/bin/python3")).unwrap();
        symlink(at("python/bin/python3"), at("venv/bin/python")).unwrap();
        let private = Private { folders: vec![at("data"), PathBuf::from("/")] };
        let shown = |program: &str, files: &[&str], asked_for: &[&str]| {
            let all = |paths: &[&str]| paths.iter().map(|path| at(path)).collect::<Vec<_>>();
            readable(&at(program), &all(files), &all(asked_for), &private)
        };
        let python = shown("venv/bin/python", &["bots/one/agent.py"], &[]);
        let canonical = at("python").canonicalize().unwrap();
        assert!(python.contains(&at("venv")) && python.contains(&at("bots/one")), "{python:?}");
        assert!(python.contains(&at("python")) || python.contains(&canonical), "{python:?}");
        assert!(!python.iter().any(|path| at("data").starts_with(path)), "{python:?}");
        // Beside the data folder, only the file itself is shown.
        assert_eq!(shown("agent.sh", &[], &[]), [at("agent.sh")]);
        assert_eq!(shown("agent.sh", &[], &["tools"]), [at("agent.sh"), at("tools")]);
        // Neither a way up nor a link hides what was asked for.
        symlink("tools", at("link")).unwrap();
        let both = shown("bots/one/agent.py", &[], &["bots/one/../../agent.sh", "link"]);
        assert_eq!(both, [at("agent.sh"), at("bots/one"), at("link"), at("tools")]);
        assert_eq!(readable(Path::new("/usr/bin/env"), &[], &[], &private), [] as [&Path; 0]);
    }

    #[test]
    fn links_that_go_round_end() {
        let root = tempfile::tempdir().unwrap();
        symlink(root.path().join("b"), root.path().join("a")).unwrap();
        symlink(root.path().join("a"), root.path().join("b")).unwrap();
        assert_eq!(chain(&root.path().join("a")).len(), 2);
    }
}
