//! A tournament on the pages, from its creation to its export, with everything that goes wrong.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use agon_arena::Registry;
use agon_arena::store::Store;
use agon_arena::tournament::{read_text, run::run};
use agon_search::StopFlag;
use serde_json::json;

use crate::common::tournaments::{crashing_program, quick};
use crate::common::{Client, Running};
use crate::driver::Setup;
use crate::harness::Visit;

/// Names the folder and the port of a server that is a process of its own.
const SERVE: &str = "AGON_TEST_SERVE";

/// The server of the test below, in a process that can be killed.
#[test]
#[ignore = "run by six_agents_one_crashes_one_joins_late_and_the_server_is_killed, which kills it"]
fn serve_until_killed() {
    let Ok(what) = std::env::var(SERVE) else { return };
    let (port, folder) = what.split_once(' ').unwrap();
    let server = Running::start_with(Path::new(folder), |options| {
        options.listen = Some(format!("127.0.0.1:{port}").parse().unwrap());
        options.registry = agon_wire::registry(None);
        options.allow_programs = true;
    });
    println!("\nserving {} {}", server.address, server.secret.as_deref().unwrap_or_default());
    std::thread::sleep(Duration::from_secs(600));
}

/// A server in a process of its own.
struct Apart {
    process: Child,
    address: String,
    secret: String,
}

impl Apart {
    fn start(folder: &Path, port: u16) -> Apart {
        let own = std::env::current_exe().unwrap();
        let mut process = Command::new(own)
            .args(["tournaments::serve_until_killed", "--exact", "--ignored", "--nocapture"])
            .env(SERVE, format!("{port} {}", folder.display()))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines =
            BufReader::new(process.stdout.take().unwrap()).lines().map_while(Result::ok);
        let line = lines.by_ref().find(|line| line.starts_with("serving "));
        let line = line.expect("the server says where it is");
        // The test harness writes more when it takes long, and must find a reader.
        std::thread::spawn(move || lines.for_each(drop));
        let words: Vec<&str> = line.split(' ').collect();
        Apart { process, address: words[1].to_string(), secret: words[2].to_string() }
    }

    fn kill(mut self) {
        // SIGKILL, as kill -9.
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

impl Drop for Apart {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn six_agents_one_crashes_one_joins_late_and_the_server_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let program = crashing_program(folder.path());
    let server = Apart::start(folder.path(), 0);
    let visit = Visit::new();
    // The visit's own server has nothing to do here.
    visit.stop_server();
    visit.excuse("ERR_CONNECTION_REFUSED");
    visit.excuse("the server responded with a status of 4");
    let port: u16 = server.address.rsplit(':').next().unwrap().parse().unwrap();
    let visit = visit.at(&format!("http://{}", server.address));
    // Created in the form.
    visit.open("/tournaments");
    visit.says("main", "No tournaments yet");
    visit.click("[data-action=new-tournament]");
    visit.arrive("new-tournament");
    visit.fill("[data-field=tournament-name]", "spring cup");
    visit.ask("document.querySelector('input[name=game][value=breakthrough]').click()");
    visit.fill("[data-field=width]", "5");
    visit.fill("[data-field=height]", "5");
    visit.choose("[data-field=clock]", "per_move 20ms");
    visit.fill("[data-field=games]", "20");
    visit.click("[data-action=add-levels]");
    visit.says("[data-part=plan]", "7 agents");
    for _ in 0..3 {
        visit.click("[data-agent='0'] [data-action=remove-agent]");
    }
    visit.says("[data-part=plan]", "4 agents");
    // One that uses its time, so that the server can be killed in the middle.
    visit.click("[data-action=add-agent]");
    visit.choose("[data-agent='4'] [data-field=kind]", "mcts");
    visit.says("[data-part=plan]", "5 agents");
    // The sixth is a program, which needs the secret.
    visit.click("[data-action=add-agent]");
    visit.choose("[data-agent='5'] [data-field=kind]", "text");
    visit.fill("[data-agent='5'] [data-field=agent]", &program);
    visit.fill("[data-agent='5'] [data-field=name]", "fragile");
    visit.wait(
        "the file names it",
        "document.querySelector('[data-field=file]').value.includes('fragile')",
    );
    visit.click("[data-action=start]");
    visit.fill("dialog [data-field=secret]", &server.secret);
    visit.click("[data-action=send-secret]");
    visit.arrive("tournament");
    visit.says("h1", "spring cup");
    visit.says("[data-agent=fragile]", "withdrawn");
    visit.says("[data-part=faults]", "fragile");
    visit.wait("games", "document.querySelectorAll('[data-part=last-games] li').length > 3");
    // Killed in the middle: the page says so, and goes on when the server is back.
    let client = Client::new(server.address.parse().unwrap());
    let before = client.get("/api/tournaments/spring%20cup").ok()["games"].as_u64().unwrap();
    server.kill();
    visit.says("[data-banner]", "not responding");
    let server = Apart::start(folder.path(), port);
    visit.wait("the banner is gone", "document.querySelector('[data-banner]').hidden");
    let client = Client::new(server.address.parse().unwrap());
    let going = client.wait_tournament("spring%20cup", "going on", |view| {
        view["games"].as_u64().unwrap() > before
    });
    assert_eq!(going["planned"], 300);
    // One joins late.
    visit.click("[data-action=change]");
    visit.fill("dialog [data-field=new-agent]", "greedy");
    visit.fill("dialog [data-field=new-name]", "latecomer");
    visit.click("[data-action=join]");
    visit.click("[data-action=save-file]");
    // The secret of the killed server is not that of this one.
    visit.fill("dialog [data-field=secret]", &server.secret);
    visit.click("[data-action=send-secret]");
    visit.gone("dialog");
    visit.says("[data-agent=latecomer]", "joined late");
    client.wait_tournament("spring%20cup", "finished", |view| view["state"] == "finished");
    visit.says("[data-state]", "finished");
    visit.says("[data-state]", "420 games");
    // Everything can be downloaded, and is the same as on the page.
    for (file, lines) in [("standings.csv", 8), ("crosstable.csv", 8), ("games.csv", 421)] {
        let path = visit
            .ask(&format!("document.querySelector('[data-file=\"{file}\"]').getAttribute('href')"));
        let saved = client.get(path.as_str().unwrap());
        assert_eq!((saved.status, saved.text.trim_end().lines().count()), (200, lines), "{file}");
    }
    let pgn = client.get("/api/tournaments/spring%20cup/games.pgn").text;
    assert_eq!(pgn.matches("[Date ").count(), 420);
    // The games and the faults are in replay.
    visit.click("[data-part=faults] a");
    visit.arrive("replay");
    visit.says("main", "this is the end");
    let store = Store::open(folder.path()).unwrap();
    let series = store.find_tournament("spring cup").unwrap().unwrap();
    assert_eq!(store.finished_numbers(series.id).unwrap(), (0..420).collect::<Vec<u64>>());
}

/// The pages of tournaments with everything on them: one that is running, with its boards.
pub fn tournaments(folder: &Path) {
    crate::common::tournaments::store_many(folder, "large", 12, 400);
    let played = quick("cup", 6);
    let tournament = read_text(&played, Path::new("cup.toml"), &Registry::built_in()).unwrap();
    let store = Store::open(folder).unwrap();
    run(&tournament, Some(&store), 1, &StopFlag::default(), &mut |_| {}).unwrap();
}

/// Their addresses.
pub const PATHS: [&str; 4] =
    ["/tournaments", "/tournaments/large", "/tournaments/cup", "/new-tournament"];

#[test]
fn a_running_tournament_shows_its_boards_at_every_size() {
    for phone in [false, true] {
        let visit = Visit::with(Setup { phone, ..Setup::default() }, |_| {});
        let three = "name = \"star\"\nformat = \"round-robin\"\nvariant = \"fauhalma:star3\"\n\
                     per_move = \"200ms\"\ngames = 60\nagents = [\"engine:level=2\", \"paranoid\", \"greedy\"]\n";
        visit.client.post("/api/tournaments", &json!({ "file": three })).ok();
        visit.open("/tournaments/star");
        visit.wait(
            "a board",
            "document.querySelector('[data-part=now] svg .piece, [data-part=now] svg g')",
        );
        visit.says("[data-part=now]", "paranoid");
        visit.says("[data-state]", "running");
        let wide =
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth + 1";
        assert_eq!(visit.ask(wide), true, "nothing is wider than the page");
        if !phone {
            visit.click("[data-action=projector]");
            visit.wait(
                "large type",
                "parseFloat(getComputedStyle(document.documentElement).fontSize) >= 20",
            );
            visit.click("[data-action=projector]");
            visit.wait("as before", "!document.documentElement.dataset.projector");
        }
        visit.click("[data-action=pause]");
        visit.says("[data-state]", "paused");
        visit.gone("[data-part=now]");
    }
}

#[test]
fn a_file_can_be_dropped_in_and_edited() {
    let visit = Visit::new();
    visit.excuse("the server responded with a status of 4");
    visit.open("/new-tournament");
    visit.says("[data-part=plan]", "2 agents");
    let text = quick("dropped", 2);
    let drop = "(() => {
        const data = new DataTransfer();
        data.items.add(new File([arguments[0]], 'dropped.toml'));
        document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));
        return true;
    })()";
    visit.ask_about(drop, vec![json!(text)]);
    visit.says("[data-part=plan]", "3 agents, 6 games");
    let value = "document.querySelector('[data-field=file]').value";
    assert_eq!(visit.ask(value), text);
    assert_eq!(visit.ask("document.querySelector('.form-parts').inert"), true);
    visit.fill("[data-field=file]", "format = \"swis\"");
    visit.says("[data-error=plan]", "did you mean swiss");
    visit.click("[data-action=to-form]");
    visit.says("[data-part=plan]", "2 agents");
    visit.ask_about(drop, vec![json!(text)]);
    visit.says("[data-part=plan]", "3 agents");
    visit.click("[data-action=start]");
    visit.arrive("tournament");
    visit.says("[data-state]", "finished");
    assert_eq!(visit.count("[data-part=crosstable] tbody tr"), 3);
}
