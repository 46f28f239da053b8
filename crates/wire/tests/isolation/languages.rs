//! Ordinary programs run unchanged in a sandbox, and their interpreters are found.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use agon_isolation::Level;
use agon_wire::process::{Launch, Program};

use crate::has;
use crate::hostile::hostile;
use crate::stage::Stage;
use crate::talk::{lines_until, soon};

/// Starts a program in a sandbox, greets it, and returns its answer.
fn greeting(program: &Path, arguments: &[&str], folder: &Path) -> String {
    let stage = Stage::enter();
    let mut launch = Launch::new(program);
    launch.arguments = arguments.iter().map(Into::into).collect();
    launch.files =
        arguments.iter().map(|name| folder.join(name)).filter(|it| it.is_file()).collect();
    launch.folder = Some(folder.into());
    launch.isolation = Level::Sandbox;
    let mut program = Program::start(&launch).unwrap();
    program.send("hello\n", soon()).unwrap();
    let lines = lines_until(&mut program, "", soon());
    let lines = lines.unwrap_or_else(|trouble| panic!("{trouble}: {:?}", program.last_lines()));
    drop(program);
    stage.leave();
    lines.unwrap().join("\n")
}

/// A program of this name, if it is installed.
fn find(name: &str) -> Option<std::path::PathBuf> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

#[test]
fn shell_scripts_and_python_files_run() {
    if !has(Level::Sandbox) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("agent.sh");
    fs::write(&script, "#!/bin/sh\nread line\necho \"sh got $line in $(basename $PWD)\"\n")
        .unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o700)).unwrap();
    let name = folder.path().file_name().unwrap().to_str().unwrap();
    assert_eq!(greeting(&script, &[], folder.path()), format!("sh got hello in {name}"));
    if let Some(python) = find("python3") {
        fs::write(folder.path().join("helper.py"), "word = 'python'\n").unwrap();
        let text = "import helper, threading, random, json\nprint(helper.word, 'got', input())\n";
        fs::write(folder.path().join("agent.py"), text).unwrap();
        assert_eq!(greeting(&python, &["agent.py"], folder.path()), "python got hello");
    }
}

#[test]
fn programs_in_rust_run() {
    if !has(Level::Sandbox) {
        return;
    }
    let stage = Stage::enter();
    let mut launch = Launch::new(hostile());
    launch.arguments = vec!["nothing".into()];
    launch.isolation = Level::Sandbox;
    let mut program = Program::start(&launch).unwrap();
    program.send("ugi\n", soon()).unwrap();
    assert!(lines_until(&mut program, "ugiok", soon()).unwrap().is_some());
    drop(program);
    stage.leave();
}

#[test]
fn java_archives_run() {
    let (Some(java), Some(javac)) = (find("java"), find("javac")) else {
        eprintln!("*** NOT TESTED: there is no Java here");
        return;
    };
    if !has(Level::Sandbox) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = "import java.util.*;\npublic class Agent {\n  public static void main(String[] a) \
                  throws Exception {\n    Thread t = new Thread(() -> {});\n    t.start(); \
                  t.join();\n    System.out.println(\"java got \" + new \
                  Scanner(System.in).nextLine());\n  }\n}\n";
    fs::write(folder.path().join("Agent.java"), source).unwrap();
    let build = |command: &mut Command| {
        assert!(command.current_dir(folder.path()).status().unwrap().success());
    };
    build(Command::new(javac).arg("Agent.java"));
    build(Command::new(find("jar").unwrap()).args(["cfe", "agent.jar", "Agent", "Agent.class"]));
    assert_eq!(greeting(&java, &["-jar", "agent.jar"], folder.path()), "java got hello");
}
