//! What a program can do at each level: the table of the documentation.

use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::Path;

use agon_isolation::{Level, try_level, use_landlock};
use agon_wire::process::{Launch, Program};

use crate::has;
use crate::stage::Stage;
use crate::talk::{launch, lines_until, soon};

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/outside-agents.md");
const BEGIN: &str = "<!-- what each level stops: written by the tests -->\n";
/// Whatever version of Landlock there is.
const NEWEST: u8 = u8::MAX;
const END: &str = "<!-- end -->\n";

/// What one program could do: attempts by name, and whether they succeeded.
fn attempts(level: Level, landlock: u8) -> Vec<(String, bool)> {
    let stage = Stage::enter();
    use_landlock(landlock);
    // The user's folder, the program's own, and everything that listens.
    let (home, own) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let file = home.path().join("key");
    fs::write(&file, "secret").unwrap();
    let _local = UnixListener::bind(home.path().join("key.socket")).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let _datagrams = UdpSocket::bind(("127.0.0.1", port));
    let name = SocketAddr::from_abstract_name(format!("agon-test-{port}")).unwrap();
    let _abstract = UnixListener::bind_addr(&name).unwrap();
    let mut launch = Launch {
        isolation: level,
        folder: Some(own.path().into()),
        ..launch(&format!("attempts --amount {port}"))
    };
    if level != Level::Sandbox {
        // Watched, not enforced: a program can have that many until it is noticed.
        launch.limits.tasks = 10_000;
    }
    launch.arguments.extend(["--file".into(), file.clone().into()]);
    let mut program = Program::start(&launch).unwrap();
    let lines = lines_until(&mut program, "end of attempts", soon()).unwrap().unwrap();
    drop(program);
    let found = lines.iter().filter_map(|line| {
        let (outcome, name) = line.split_once(' ')?;
        (outcome != "end").then(|| (name.to_string(), outcome == "done"))
    });
    let mut found: Vec<(String, bool)> = found.collect();
    // A file in a folder of its own is no harm unless it is still there afterwards.
    for (name, done) in &mut found {
        let left = format!("/tmp/agon-left-{port}");
        *done &= !name.starts_with("leave files") || fs::remove_file(left).is_ok();
    }
    use_landlock(NEWEST);
    stage.leave();
    found
}

#[test]
fn the_table_of_the_documentation_is_true() {
    let levels: Vec<Level> = Level::ALL.into_iter().filter(|&level| has(level)).collect();
    if levels.len() < Level::ALL.len() {
        return;
    }
    let columns: Vec<Vec<(String, bool)>> =
        levels.iter().map(|&level| attempts(level, NEWEST)).collect();
    let sandbox = columns.last().unwrap();
    assert!(sandbox.len() > 15 && sandbox.iter().all(|(_, done)| !done), "{sandbox:?}");
    assert!(columns[0].iter().any(|(_, done)| *done), "the attempts are real");
    let mut table =
        String::from("| A program can … | `none` | `weak` | `sandbox` |\n|---|---|---|---|\n");
    for (row, (name, _)) in sandbox.iter().enumerate() {
        let cells = columns.iter().map(|column| if column[row].1 { "yes" } else { "no" });
        let cells: Vec<&str> = cells.collect();
        table += &format!("| {name} | {} |\n", cells.join(" | "));
    }
    check_table(Path::new(DOCUMENT), &table);
}

/// Without Landlock's own means against signals and the network, level `weak` stops the same.
#[test]
fn older_kernels_stop_the_same_at_level_weak() {
    if !has(Level::Weak) {
        return;
    }
    let newest = attempts(Level::Weak, NEWEST);
    for version in [4, 3] {
        assert_eq!(attempts(Level::Weak, version), newest, "version {version}");
    }
    let stage = Stage::enter();
    use_landlock(2);
    let refused = try_level(Level::Weak).unwrap_err().to_string();
    use_landlock(NEWEST);
    stage.leave();
    assert!(refused.contains("Landlock") && refused.contains("Linux 6.2"), "{refused}");
}

/// The table in the document must be this one; with `AGON_BLESS` it is written.
fn check_table(document: &Path, table: &str) {
    let text = fs::read_to_string(document).unwrap();
    let (before, rest) = text.split_once(BEGIN).expect("the begin of the table");
    let (written, after) = rest.split_once(END).expect("the end of the table");
    if std::env::var_os("AGON_BLESS").is_some() {
        fs::write(document, format!("{before}{BEGIN}{table}{END}{after}")).unwrap();
    } else {
        assert_eq!(written, table, "AGON_BLESS=1 writes the table");
    }
}
