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

/// What a program is shown.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Shown {
    /// Its own files and folders.
    pub own: Vec<PathBuf>,
    /// Files elsewhere to which its own are linked. They are shown as they are: whoever made the link
    /// need not be allowed to read them.
    pub linked: Vec<PathBuf>,
}

/// A program that is to be started.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    /// Its path.
    pub path: &'a Path,
    /// Whether it was chosen by whoever starts it, as an interpreter is, and did not come with an
    /// agent: then what belongs to it is found through links.
    pub trusted: bool,
}

/// The paths that a program needs to see, given the files its command names. A file's folder is
/// shown with it, unless something private is in there: then only the file is. Of what a link in
/// there leads to, only that file is shown. What somebody asked for is shown in any case.
pub fn readable(
    program: Named<'_>,
    files: &[PathBuf],
    asked_for: &[PathBuf],
    private: &Private,
) -> Shown {
    let (mut own, mut linked) = (BTreeSet::new(), BTreeSet::new());
    for (number, step) in chain(program.path).into_iter().enumerate() {
        if number == 0 || program.trusted {
            let package = package(&step).filter(|folder| !private.is_in(folder));
            add(&mut own, package.unwrap_or(step), private);
        } else {
            add(&mut linked, step, private);
        }
    }
    for (number, file) in files.iter().flat_map(|file| chain(file).into_iter().enumerate()) {
        match file.parent().filter(|folder| number == 0 && !private.is_in(folder)) {
            Some(folder) => add(&mut own, folder.to_path_buf(), private),
            None if number == 0 => add(&mut own, file, private),
            None => add(&mut linked, file, private),
        }
    }
    let nothing_is_private = Private::default();
    let asked_for = asked_for.iter().flat_map(|path| chain(path));
    asked_for.for_each(|path| add(&mut own, path, &nothing_is_private));
    // What is inside another is shown with it.
    let inside = |path: &Path| path.ancestors().skip(1).any(|above| own.contains(above));
    let is_new = |path: &&PathBuf| !inside(path) && !is_system(path);
    Shown {
        own: own.iter().filter(is_new).cloned().collect(),
        linked: linked.iter().filter(is_new).filter(|it| !own.contains(*it)).cloned().collect(),
    }
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
        let all = |paths: &[&str]| paths.iter().map(|path| at(path)).collect::<Vec<_>>();
        let shown = |program: &str, trusted: bool, files: &[&str], asked_for: &[&str]| {
            let program = Named { path: &at(program), trusted };
            readable(program, &all(files), &all(asked_for), &private)
        };
        let python = shown("venv/bin/python", true, &["bots/one/agent.py"], &[]).own;
        let canonical = at("python").canonicalize().unwrap();
        assert!(python.contains(&at("venv")) && python.contains(&at("bots/one")), "{python:?}");
        assert!(python.contains(&at("python")) || python.contains(&canonical), "{python:?}");
        assert!(!python.iter().any(|path| at("data").starts_with(path)), "{python:?}");
        // Beside the data folder, only the file itself is shown.
        assert_eq!(shown("agent.sh", false, &[], &[]).own, all(&["agent.sh"]));
        assert_eq!(shown("agent.sh", false, &[], &["tools"]).own, all(&["agent.sh", "tools"]));
        // Neither a way up nor a link hides what was asked for.
        symlink("tools", at("link")).unwrap();
        let asked_for = ["bots/one/../../agent.sh", "link"];
        let both = shown("bots/one/agent.py", false, &[], &asked_for).own;
        assert_eq!(both, all(&["agent.sh", "bots/one", "link", "tools"]));
        let system = Named { path: Path::new("/usr/bin/env"), trusted: true };
        assert_eq!(readable(system, &[], &[], &private), Shown::default());
    }

    #[test]
    fn a_link_of_an_agent_shows_no_folder_of_others() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let at = |path: &str| root.join(path);
        for folder in ["alice/bin", "mallory"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        fs::write(at("alice/bin/engine"), "").unwrap();
        for link in ["mallory/engine", "mallory/weights"] {
            symlink(at("alice/bin/engine"), at(link)).unwrap();
        }
        let private = Private { folders: vec![PathBuf::from("/")] };
        let program = Named { path: &at("mallory/engine"), trusted: false };
        let shown = readable(program, &[at("mallory/weights")], &[], &private);
        assert_eq!(shown.own, [at("mallory")]);
        assert_eq!(shown.linked, [at("alice/bin/engine")]);
    }

    #[test]
    fn links_that_go_round_end() {
        let root = tempfile::tempdir().unwrap();
        symlink(root.path().join("b"), root.path().join("a")).unwrap();
        symlink(root.path().join("a"), root.path().join("b")).unwrap();
        assert_eq!(chain(&root.path().join("a")).len(), 2);
    }
}
