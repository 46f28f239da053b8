//! Data folders that are read-only, lose their store, or hit a size limit.
#![cfg(target_os = "linux")]

#[allow(dead_code, reason = "other tests use more of it")]
mod common;
#[allow(dead_code, reason = "other tests use more of it")]
mod events;
#[allow(dead_code, reason = "other tests use more of it")]
mod serving;

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use agon_arena::store::{FILE, Filter, Store};
use serde_json::json;
use serving::Serving;

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn games(data: &Path) -> u64 {
    let store = Store::open_read_only(data);
    store.and_then(|store| store.count_games(&Filter::default())).map_or(0, |(games, _)| games)
}

/// Starts a long tournament, and changes its store while it runs.
fn tournament_while(change: impl FnOnce(&Path)) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let (file, data) = (folder.path().join("cup.toml"), folder.path().join("data"));
    let plan = "format = \"round-robin\"\ngames = 500000\nvariant = \"breakthrough:5x5\"\n\
                agents = [\"random\", \"greedy\"]\n";
    fs::write(&file, plan).unwrap();
    let child = Command::new(env!("CARGO_BIN_EXE_agon"))
        .args(["tournament", "run", file.to_str().unwrap(), "--data", data.to_str().unwrap()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    events::wait_until("a game is stored", || games(&data) > 0);
    change(&data.join(FILE));
    child.wait_with_output().unwrap()
}

#[test]
fn a_tournament_whose_store_vanishes_stops_and_says_so() {
    let delete = |file: &Path| {
        for end in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(format!("{}{end}", file.display()));
        }
    };
    let replace = |file: &Path| fs::rename(file, file.with_extension("old")).unwrap();
    for change in [&delete as &dyn Fn(&Path), &replace] {
        let output = tournament_while(change);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains("deleted or replaced while it was in use"), "{error}");
        assert!(!text(&output.stdout).contains("finished"), "{}", text(&output.stdout));
    }
}

/// Runs the command as another user if we are root, who can write everywhere.
fn without_write_permission(command: &mut Command) -> &mut Command {
    const NOBODY: u32 = 65534;
    if rustix::process::geteuid().is_root() { command.uid(NOBODY).gid(NOBODY) } else { command }
}

#[test]
fn a_store_that_cannot_be_written_can_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let shown = data.to_str().unwrap();
    let run = common::agon(&["match", "breakthrough:5x5", "random", "greedy", "--data", shown]);
    assert_eq!(run.code, 0, "{}", run.err);
    let played = games(&data);
    // Reading may have left an empty write-ahead log.
    for end in ["-wal", "-shm"] {
        let _ = fs::remove_file(data.join(format!("{FILE}{end}")));
    }
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(data.join(FILE), Permissions::from_mode(0o444)).unwrap();
    fs::set_permissions(&data, Permissions::from_mode(0o555)).unwrap();
    let agon = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        let output =
            without_write_permission(&mut command).args(arguments).env("AGON_DATA", &data).output();
        let Output { status, stdout, stderr } = output.unwrap();
        (status.code(), text(&stdout), text(&stderr))
    };
    let (code, out, error) = agon(&["records", "list", "--json"]);
    assert_eq!(code, Some(0), "{error}");
    let listed: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(listed["total"], played);
    let (code, out, error) = agon(&["ratings"]);
    assert!(code == Some(0) && out.contains("greedy"), "{out}{error}");
    let (code, _, error) = agon(&["match", "breakthrough:5x5", "random", "random"]);
    assert!(code == Some(1) && error.contains("--no-store"), "{error}");

    let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
    without_write_permission(&mut command).args(["serve", "--listen", "0"]);
    let server = Serving::start_command(command.env("AGON_DATA", &data));
    assert_eq!(server.get("/api/records")["total"], played);
    let new = json!({"variant": "congo", "seats": [{"kind": "human"}, {"kind": "human"}]});
    let request = ureq::post(format!("{}/api/games", server.base));
    let request = request.header("content-type", "application/json");
    let refused = request.config().http_status_as_error(false).build().send(new.to_string());
    let mut refused = refused.unwrap();
    let words = refused.body_mut().read_to_string().unwrap();
    assert!(refused.status().is_client_error(), "{words}");
    assert!(words.contains("only be looked at"), "{words}");
    drop(server);
    fs::set_permissions(&data, Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error_and_not_the_end() {
    let data = tempfile::tempdir().unwrap();
    let output = Command::new("sh")
        .args(["-c", "ulimit -f 1000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_agon")])
        .args(["match", "breakthrough:5x5", "random", "random", "--games", "1000000"])
        .env("AGON_DATA", data.path())
        .output()
        .unwrap();
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("a limit on the size of files"), "{error}");
    assert!(games(data.path()) > 0, "what was stored before is there");
}

#[test]
fn programs_have_the_usual_limit_on_the_size_of_files() {
    let says = "ugi:sh -c 'grep SigIgn /proc/self/status; exit 1'";
    let run = common::agon(&["match", "congo", says, "random", "--no-store"]);
    let (_, ignored) = run.err.split_once("SigIgn:").unwrap_or_else(|| panic!("{}", run.err));
    let digits: String =
        ignored.trim_start_matches("\\t").chars().take_while(char::is_ascii_hexdigit).collect();
    let ignored = u64::from_str_radix(&digits, 16).unwrap();
    const SIGXFSZ: u64 = 1 << (25 - 1);
    assert_eq!(ignored & SIGXFSZ, 0, "{}", run.err);
}
