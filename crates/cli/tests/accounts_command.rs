//! `agon accounts` and `agon aisysproj try`, as people run them.

use serde_json::Value;

#[allow(dead_code, reason = "other tests use more of it")]
mod common;

use common::{Run, agon, json};

const ENV: &str = "ws2223-2.1-rhombus";

/// The data folder of a test.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn accounts(&self, arguments: &[&str]) -> Run {
        let data = self.0.path().to_str().unwrap();
        agon(&[&["--data", data, "accounts"], arguments].concat())
    }

    /// Adds or resets an account, and returns the printed config.
    fn config(&self, arguments: &[&str]) -> Value {
        let run = self.accounts(arguments);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
        serde_json::from_str(&run.out).unwrap()
    }

    fn refused(&self, arguments: &[&str], words: &str) {
        let run = self.accounts(arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}{}", run.out, run.err);
        assert!(run.err.contains(words), "{arguments:?}: {}", run.err);
    }
}

#[test]
fn an_account_is_created_once_and_its_password_is_shown_once() {
    let folder = Folder::new();
    let config = folder.config(&["add", ENV, "Ann", "--url", "https://agon.example/", "--json"]);
    assert_eq!((&config["agent"], &config["env"]), (&"Ann".into(), &ENV.into()));
    assert_eq!(config["url"], "https://agon.example/");
    let password = config["pwd"].as_str().unwrap();
    assert_eq!(password.len(), 64, "256 bits");
    folder.refused(&["add", ENV, "Ann"], "agon accounts reset");
    folder.refused(&["add", "nope", "Ann"], ENV);
    for name in ["", " ", "a/b", "-x", "Ann ", "<b>"] {
        folder.refused(&["add", "--json", ENV, "--", name], "cannot be a name");
    }
    let listed = folder.accounts(&["list", "--json"]);
    assert!(listed.out.contains("Ann") && !listed.out.contains(password), "{}", listed.out);
    let again = folder.config(&["reset", ENV, "Ann", "--json"]);
    assert_ne!(again["pwd"], config["pwd"]);
    for file in std::fs::read_dir(folder.0.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        let found = bytes.windows(password.len()).any(|window| window == password.as_bytes());
        assert!(!found, "the store knows no password");
    }
}

#[test]
fn accounts_are_blocked_and_removed() {
    let folder = Folder::new();
    folder.config(&["add", ENV, "Ann", "--json"]);
    let blocked = || {
        let run = folder.accounts(&["list", ENV, "--json"]);
        serde_json::from_str::<Value>(&run.out).unwrap()[0]["blocked"].clone()
    };
    assert_eq!(folder.accounts(&["block", ENV, "Ann"]).code, 0);
    assert_eq!(blocked(), true);
    assert!(folder.accounts(&["list"]).out.contains("blocked"));
    assert_eq!(folder.accounts(&["unblock", ENV, "Ann"]).code, 0);
    assert_eq!(blocked(), false);
    assert_eq!(folder.accounts(&["remove", ENV, "Ann"]).code, 0);
    assert_eq!(blocked(), Value::Null);
    for command in ["block", "unblock", "remove", "reset"] {
        folder.refused(&[command, ENV, "Ann"], "there is no account \"Ann\"");
    }
}

#[test]
fn everything_can_be_tried_in_one_command() {
    let tried = ["aisysproj", "try", "--games", "1", "--only", "rhombus", "--nodes", "500"];
    let line = json(&[&tried[..], &["--json"]].concat());
    assert_eq!((&line["env"], &line["refused"]), (&ENV.into(), &0.into()));
    assert!(line["games"].as_u64().unwrap() >= 1 && line["rating"].is_number(), "{line}");
    let run = agon(&tried);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("/environments") && run.out.contains("ratings agree"), "{}", run.out);
    assert_eq!(agon(&["aisysproj", "try", "--only", "chess"]).code, 2);
    assert_eq!(agon(&["aisysproj"]).code, 2);
}
