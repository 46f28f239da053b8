//! Programs in cells: what they are shown, which cores they get, and how they end.

use std::env;
use std::ffi::OsString;
use std::path::{self, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use agon_arena::workers::games_at_a_time;
use agon_isolation::{
    Cell, CellLimits, End, Level, Named, OWN_TASKS, Order, Private, Refusal, Report, Shown, Want,
    newest_landlock, readable, usable_cores,
};

use super::Launch;
use super::child::{self, TOKEN};
use super::trouble::{Trouble, TroubleKind};

/// How long a cell may take to be made. It takes milliseconds, unless the machine is very busy.
const MAKING: Duration = Duration::from_secs(20);

/// How long to wait for the report about a program whose cell has ended.
const REPORTING: Duration = Duration::from_millis(200);

/// The variables with lists of folders in which interpreters find libraries.
const LIBRARIES: &[&str] = &["PYTHONPATH", "CLASSPATH", "NODE_PATH"];

/// A cell with a program in it.
pub(super) struct Inmate {
    pub cell: Cell,
    pub level: Level,
    /// The cores that it has for itself, which are given back when it ends.
    _cores: Cores,
    /// Files of its own at level `weak`, which are removed when it ends.
    _scratch: Option<tempfolder::Folder>,
}

impl Inmate {
    /// Describes the program to its cell, which has just been started as this process.
    pub fn admit(mut cell: Cell, launch: &Launch, token: &str) -> Result<Inmate, Trouble> {
        let level = launch.isolation;
        if level == Level::Sandbox {
            cell.confine(launch.limits.memory, launch.limits.tasks as u64);
        }
        let scratch = match level {
            Level::Weak => Some(tempfolder::Folder::make()?),
            _ => None,
        };
        let cores = Cores::take(launch.threads);
        let mut order = order(launch, token)?;
        order.cores = cores.0.clone();
        order.scratch = scratch.as_ref().map(|folder| folder.path.clone());
        if let Some(folder) = &order.scratch {
            for name in ["HOME", "TMPDIR"] {
                order.environment.push((name.into(), folder.into()));
            }
        }
        cell.order(&order).map_err(refused)?;
        Ok(Inmate { cell, level, _cores: cores, _scratch: scratch })
    }

    /// Waits until the program runs, or says why it does not.
    pub fn settle(&self, launch: &Launch, process: u32) -> Result<(), Trouble> {
        match self.cell.report(Instant::now() + MAKING) {
            Some(Report::Started) => {
                self.cell.begin(process);
                Ok(())
            }
            Some(Report::NoProgram { errno }) => {
                let error = std::io::Error::from_raw_os_error(errno);
                Err(child::cannot_start(launch, &error))
            }
            Some(Report::NoCell(refusal)) => Err(refused(refusal)),
            // At this level the cell becomes the program, and closes the connection by that.
            None if self.level == Level::Weak => Ok(()),
            Some(Report::Ended { .. }) | None => {
                Err(Trouble::new(TroubleKind::System, "the program's cell ended without a report"))
            }
        }
    }

    /// How the program ended. `None` where that shows in the process itself.
    pub fn end(&self) -> Option<Result<(End, Vec<String>), Trouble>> {
        if self.level != Level::Sandbox {
            return None;
        }
        if self.cell.killed_for_memory() == Some(Want::OfItsOwn) {
            let evidence = "more memory than allowed, and the system killed it";
            return Some(Err(Trouble::new(TroubleKind::Memory, evidence)));
        }
        let Some(Report::Ended { end, left }) = self.cell.report(Instant::now() + REPORTING) else {
            let evidence = "the program's cell was killed from outside, not by the program";
            return Some(Err(Trouble::new(TroubleKind::System, evidence)));
        };
        Some(Ok((end, left)))
    }

    /// Whether the machine's want of memory killed it, if that is known.
    pub fn killed_for_memory(&self) -> Option<bool> {
        self.cell.killed_for_memory().map(|want| want == Want::OfTheMachine)
    }

    /// How many of its processes are ours.
    pub fn overhead(&self) -> usize {
        match self.level {
            Level::Sandbox => OWN_TASKS as usize,
            _ => 0,
        }
    }
}

fn refused(refusal: Refusal) -> Trouble {
    let level = "the program cannot be isolated; agon isolation says what this machine can give";
    Trouble::new(TroubleKind::System, format!("{refusal} ({level})"))
}

/// What a cell is told about its program.
fn order(launch: &Launch, token: &str) -> Result<Order, Trouble> {
    let program = PathBuf::from(child::whole_path(&launch.program)?);
    let program = match program.is_absolute() {
        true => program,
        false => child::in_path(&program).unwrap_or(program),
    };
    let folder = launch.folder.clone().map_or_else(env::current_dir, path::absolute);
    let folder = folder.map_err(|error| Trouble::system("find the program's folder", error))?;
    if !folder.is_dir() {
        let evidence = format!("there is no folder {folder:?}");
        return Err(Trouble::new(TroubleKind::CannotStart, evidence));
    }
    let files = launch.files.iter().map(|file| path::absolute(file).unwrap_or(file.clone()));
    let files: Vec<PathBuf> = files.collect();
    let private = Private::with(launch.private.iter().cloned());
    let named = Named { path: &program, trusted: launch.trusted };
    let Shown { own, linked } = readable(named, &files, &libraries(launch), &private);
    Ok(Order {
        level: launch.isolation,
        readable: own,
        linked,
        program: Some(program),
        arguments: launch.arguments.clone(),
        environment: environment(launch, token),
        folder,
        scratch: None,
        limits: CellLimits {
            tasks: launch.limits.tasks as u64,
            cpu_seconds: launch.limits.cpu.map(child::whole_seconds),
            file_size: launch.limits.file_size,
            open_files: launch.limits.open_files,
            scratch: launch.limits.scratch,
        },
        network: launch.network,
        cores: Vec::new(),
        landlock: newest_landlock(),
    })
}

/// What a program in a cell is told of our environment: less than one that runs as this user.
fn environment(launch: &Launch, token: &str) -> Vec<(OsString, OsString)> {
    let is_for_it = |name: &OsString| {
        let name = name.to_string_lossy();
        name == "PATH" || name == "LANG" || name.starts_with("LC_")
    };
    let ours = env::vars_os().filter(|(name, _)| is_for_it(name));
    let own = launch.environment.iter().cloned();
    // The data folder is private, so its place is of no use.
    let own = own.filter(|(_, value)| !launch.private.iter().any(|it| it.as_os_str() == value));
    ours.chain(own).chain([(TOKEN.into(), token.into())]).collect()
}

/// The folders of libraries that its environment names, and what it is to see besides.
fn libraries(launch: &Launch) -> Vec<PathBuf> {
    let lists = launch.environment.iter();
    let lists = lists.filter(|(name, _)| LIBRARIES.iter().any(|list| name == list));
    let named = lists.flat_map(|(_, list)| env::split_paths(list));
    named.chain(launch.readable.iter().cloned()).collect()
}

/// Cores that one program has for itself. Empty where there are not enough for both sides of every
/// game: then it may use all, as its opponent does.
struct Cores(Vec<usize>);

/// Which cores are taken.
static TAKEN: Mutex<Vec<usize>> = Mutex::new(Vec::new());

impl Cores {
    fn take(count: usize) -> Cores {
        let (count, usable) = (count.max(1), usable_cores());
        if usable.len() < 2 * count * games_at_a_time().max(1) {
            return Cores(Vec::new());
        }
        let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
        // The last cores first: the system's own work tends to be on the first.
        let free = usable.into_iter().rev().filter(|core| !taken.contains(core));
        let own: Vec<usize> = free.take(count).collect();
        if own.len() < count {
            return Cores(Vec::new());
        }
        taken.extend(&own);
        Cores(own)
    }
}

impl Drop for Cores {
    fn drop(&mut self) {
        let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
        taken.retain(|core| !self.0.contains(core));
    }
}

/// A folder for the files of one program.
mod tempfolder {
    use std::fs::{self, DirBuilder, Permissions};
    use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
    use std::path::{Path, PathBuf};
    use std::sync::Once;
    use std::sync::atomic::{AtomicU64, Ordering};

    use agon_isolation::leftover;

    use super::Trouble;

    /// How many folders are opened to be removed, at the most.
    const MOST_FOLDERS: usize = 100_000;

    /// Removed with everything in it when this is dropped.
    pub struct Folder {
        pub path: PathBuf,
    }

    impl Folder {
        pub fn make() -> Result<Folder, Trouble> {
            static NUMBER: AtomicU64 = AtomicU64::new(1);
            static SWEPT: Once = Once::new();
            SWEPT.call_once(sweep);
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = std::env::temp_dir().join(leftover::name(number));
            let made = DirBuilder::new().mode(0o700).create(&path);
            made.map_err(|error| Trouble::system("make a folder for the program", error))?;
            Ok(Folder { path })
        }
    }

    /// Removes the folders that an arena of this user has left when it was killed.
    fn sweep() {
        let own = rustix::process::geteuid().as_raw();
        for left in leftover::of_others(&std::env::temp_dir()) {
            if left.symlink_metadata().is_ok_and(|data| data.is_dir() && data.uid() == own) {
                erase(&left);
            }
        }
    }

    /// Removes a folder, also if there are folders in it that are closed.
    fn erase(folder: &Path) {
        if fs::remove_dir_all(folder).is_ok() {
            return;
        }
        let mut closed = vec![folder.to_path_buf()];
        for _ in 0..MOST_FOLDERS {
            let Some(folder) = closed.pop() else { break };
            let _ = fs::set_permissions(&folder, Permissions::from_mode(0o700));
            let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
            let folders = entries.filter(|it| it.file_type().is_ok_and(|kind| kind.is_dir()));
            closed.extend(folders.map(|it| it.path()));
        }
        let _ = fs::remove_dir_all(folder);
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            erase(&self.path);
        }
    }
}
