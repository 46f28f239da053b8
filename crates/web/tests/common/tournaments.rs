//! Tournaments for tests: their files, and a store full of them.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use agon_arena::Registry;
use agon_arena::store::{Store, StoredGame};
use agon_arena::tournament::ledger::Ledger;
use agon_arena::tournament::outline::Outline;
use agon_arena::tournament::read_text;
use agon_arena::tournament::run::enroll;
use agon_arena::tournament::schedule::Schedule;
use agon_core::{PerSeat, Rng, Seat};
use serde_json::{Value, json};

use super::{Answer, Client};

/// A round robin of quick agents.
pub fn quick(name: &str, games: u32) -> String {
    format!(
        "name = {name:?}\nformat = \"round-robin\"\nvariant = \"breakthrough:5x5\"\nnodes = 200\n\
         games = {games}\n\n[[agents]]\nname = \"one\"\nagent = \"random\"\n\n[[agents]]\n\
         name = \"two\"\nagent = \"greedy\"\n\n[[agents]]\nname = \"three\"\nagent = \"engine:level=1\"\n"
    )
}

/// A program that speaks the protocol until it is asked for a move.
pub fn crashing_program(folder: &Path) -> String {
    let file = folder.join("crash.sh");
    let script = "#!/bin/sh\nwhile read line; do case \"$line\" in ugi) echo 'id name crash'; echo ugiok;; \
                  isready) echo readyok;; go*) echo 'this is the end' >&2; exit 3;; quit) exit 0;; esac; done\n";
    std::fs::write(&file, script).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    format!("ugi:{}", file.display())
}

impl Client {
    /// Begins a tournament, with a secret if one is needed.
    pub fn begin_tournament(&self, file: &str, secret: &str) -> Answer {
        self.manage("/api/tournaments", &json!({ "file": file }), secret)
    }

    /// Changes a tournament.
    pub fn manage(&self, path: &str, body: &Value, secret: &str) -> Answer {
        let headers = [("content-type", "application/json"), ("x-agon-secret", secret)];
        self.post_with(path, &headers, &body.to_string())
    }

    /// Waits until a condition holds for a tournament.
    pub fn wait_tournament(&self, name: &str, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let path = format!("/api/tournaments/{name}");
        for _ in 0..1200 {
            let found = self.get(&path);
            if found.status == 200 && is_so(&found.json()) {
                return found.json();
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("never {what}: {}", self.get(&path).text);
    }
}

/// Stores a tournament of many agents with random results, without playing it.
pub fn store_many(folder: &Path, name: &str, agents: usize, games: u64) {
    let pairs = (agents * (agents - 1) / 2) as u64;
    let each = (games / pairs).max(2).next_multiple_of(2);
    let list: Vec<String> = (0..agents)
        .map(|number| format!("{{ name = \"agent {number:02}\", agent = \"random\" }}"))
        .collect();
    let text = format!(
        "name = {name:?}\nformat = \"round-robin\"\nvariant = \"breakthrough:8x8\"\nper_move = \"1s\"\n\
         games = {each}\nagents = [{}]\n",
        list.join(", ")
    );
    let tournament =
        read_text(&text, Path::new("many.toml"), &Registry::built_in()).expect("a tournament");
    let store = Store::open(folder).unwrap();
    let series = enroll(&tournament, &store).unwrap();
    let outline = Outline::of(&tournament);
    let batch = Schedule::new(outline).next(&Ledger::new(agents, 2)).unwrap();
    let fixtures = (0..games.min(batch.games())).filter_map(|index| batch.fixture(index));
    let mut rng = Rng::new(5);
    let begin = agon_arena::store::now() - 3_600_000;
    for fixture in fixtures {
        let seats: Vec<u32> = fixture.seating.as_slice().iter().map(|it| u32::from(*it)).collect();
        // The higher the number, the stronger.
        let edge = 50 + (i64::from(seats[0]) - i64::from(seats[1])) * 40 / agents as i64;
        let first_wins = (rng.below(100) as i64) < edge;
        let fault = rng.below(300) == 0;
        let plies = 30 + rng.below(30) as usize;
        let mover = |at: usize| if at.is_multiple_of(2) { Seat::FIRST } else { Seat::SECOND };
        let game = StoredGame {
            number: fixture.number,
            round: fixture.round,
            pairing: fixture.pairing,
            leg: fixture.leg,
            variant: "breakthrough:8x8".into(),
            pace: "1s per move".into(),
            seats: PerSeat::from_slice(&seats),
            start: None,
            opening: String::new(),
            moves: vec!["a2a3"; plies].join(" "),
            movers: (0..plies).map(mover).collect(),
            times: vec![Duration::from_millis(900); plies],
            nodes: vec![100_000; plies],
            latencies: vec![Duration::ZERO; plies],
            depths: vec![8; plies],
            scores: vec![None; plies],
            points: PerSeat::from_slice(if first_wins { &[100, 0] } else { &[0, 100] }),
            reason: if fault { "crash".into() } else { "reached the last row".into() },
            end: if fault { "fault:crash".into() } else { "board".into() },
            offender: fault.then_some(if first_wins { Seat::SECOND } else { Seat::FIRST }),
            evidence: fault
                .then(|| "it exited with status 3; its last lines:\nthis is the end".into()),
            signature: rng.below(1 << 60),
            finished_at: begin + fixture.number as i64 * 150,
            rated: true,
            disturbed: false,
            resources: None,
            played_by: None,
        };
        store.put(series, &game).unwrap();
    }
}
