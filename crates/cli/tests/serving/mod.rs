//! The server as a separate process.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::Value;

/// A server process, killed when this is dropped.
pub struct Serving {
    /// The process.
    pub child: Child,
    /// Its output, kept open so that it can keep writing.
    pub out: BufReader<ChildStdout>,
    /// Its address.
    pub base: String,
}

impl Serving {
    /// Starts the server and waits for the address it prints.
    pub fn start(data: &Path, arguments: &[&str]) -> Serving {
        let mut command = Command::new(env!("CARGO_BIN_EXE_agon"));
        Serving::start_command(command.args(arguments).env("AGON_DATA", data))
    }

    /// Starts the server by this command.
    pub fn start_command(command: &mut Command) -> Serving {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while !line.contains("http://") {
            line.clear();
            assert!(out.read_line(&mut line).unwrap() > 0, "it ended without an address");
        }
        Serving { child, out, base: line.trim().to_string() }
    }

    /// The port.
    pub fn port(&self) -> &str {
        self.base.rsplit_once(':').unwrap().1
    }

    /// The secret it prints, and the line after it.
    pub fn secret(&mut self) -> (String, String) {
        let mut told = String::new();
        while !told.contains("secret: ") {
            told.clear();
            assert!(self.out.read_line(&mut told).unwrap() > 0, "it ended without a secret");
        }
        let secret = told.trim().rsplit_once(' ').unwrap().1.to_string();
        let mut next = String::new();
        self.out.read_line(&mut next).unwrap();
        (secret, next)
    }

    /// A GET request.
    pub fn get(&self, path: &str) -> Value {
        let mut answer = ureq::get(format!("{}{path}", self.base)).call().unwrap();
        serde_json::from_str(&answer.body_mut().read_to_string().unwrap()).unwrap()
    }

    /// A POST request.
    pub fn post(&self, path: &str, body: &Value) -> Value {
        let request = ureq::post(format!("{}{path}", self.base));
        let sent = request.header("content-type", "application/json").send(body.to_string());
        serde_json::from_str(&sent.unwrap().body_mut().read_to_string().unwrap()).unwrap()
    }

    /// Kills it.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
