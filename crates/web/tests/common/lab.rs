//! Experiments that take a moment.

use std::path::Path;

use agon_arena::Registry;
use agon_arena::store::Store;
use agon_lab::run::{Setup, here, run};
use agon_lab::{Experiment, file};

/// A small experiment with games and a measurement.
pub fn text(name: &str, games: u64) -> String {
    let name = serde_json::to_string(name).unwrap();
    format!(
        "name = {name}\ntitle = \"Small <b>boards</b>\"\n\
         question = \"Does one ply help?\\n\\nOn boards this small.\"\n\
         variant = \"breakthrough:4x4\"\nnodes = 50\ngames = {games}\nagents = [\"random\", \"greedy\", \"alphabeta\"]\n\
         [[compare]]\nkind = \"list\"\nagents = [\"greedy\", \"random\"]\nbaseline = \"random\"\n\
         [[measure]]\nkind = \"search\"\nagents = [\"alphabeta\"]\npositions = 2\n"
    )
}

/// Reads it.
pub fn experiment(name: &str, games: u64) -> Experiment {
    let (file, text) = (Path::new("/nowhere/small.toml"), text(name, games));
    file::parse(file, &text, &Registry::built_in()).unwrap()
}

/// Runs it, as another process would while a server is running.
pub fn run_small(folder: &Path, name: &str, games: u64) {
    let store = Store::open(folder).unwrap();
    let setup = Setup { concurrency: Some(1), ..Setup::here() };
    let done =
        run(&experiment(name, games), &store, &setup, &here, &Default::default(), &mut |_| {})
            .unwrap();
    assert!(done);
}

/// Notes an experiment without running it: nothing of it is done.
pub fn note(folder: &Path, name: &str, text: &str) {
    Store::open(folder).unwrap().note_experiment(name, "/nowhere", text).unwrap();
}

/// One whose program is gone.
pub fn note_unreadable(folder: &Path) {
    let gone = text("gone", 4).replace("\"greedy\"", "\"no-such-agent\"");
    note(folder, "gone", &gone);
}
