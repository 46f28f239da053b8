//! A tournament with hostile programs.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use agon_arena::store::{Filter, Store, StoredGame};
use agon_arena::tournament::run::{News, run};
use agon_arena::tournament::schedule::Schedule;
use agon_arena::tournament::{self, MOST_FAULTS, Tournament};
use agon_search::StopFlag;

use crate::matches::{agent_text, registry};
use crate::stage::Stage;

/// The entrants, and what their games are lost by.
const ENTRANTS: [(&str, &str, Option<&str>); 7] = [
    ("greedy", "", None),
    ("crash", "crash", Some("fault:crash")),
    ("random", "", None),
    ("hang", "hang", Some("fault:stalled")),
    ("plays", "noisy --amount 50 --game breakthrough:5x5", None),
    ("flood", "flood-errors", Some("fault:flood")),
    ("orphans", "children-detached --pause 400 --game breakthrough:5x5", Some("fault:children")),
];

fn read(folder: &Path) -> Tournament {
    let mut text = String::from(
        "name = \"cup\"\nformat = \"round-robin\"\ngames = 4\nvariant = \"breakthrough:5x5\"\n\
         openings = \"start\"\nper_move = \"3s\"\n",
    );
    for (name, arguments, _) in ENTRANTS {
        let agent =
            if arguments.is_empty() { name.to_string() } else { agent_text("ugi", arguments) };
        text += &format!("[[agents]]\nname = '{name}'\nagent = '''{agent}'''\n");
    }
    let file = folder.join("cup.toml");
    fs::write(&file, text).unwrap();
    tournament::read(&file, &registry()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_tournament_withdraws_the_hostile_and_is_fair_to_the_others() {
    let stage = Stage::enter();
    let folder = tempfile::tempdir().unwrap();
    let tournament = read(folder.path());
    let store = Store::open(folder.path()).unwrap();
    let mut withdrawn = Vec::new();
    let mut games = 0;
    let over = run(&tournament, Some(&store), 2, &StopFlag::default(), &mut |news| match news {
        News::Withdrawn { agent, .. } => withdrawn.push(ENTRANTS[usize::from(agent)].0),
        News::Game { ledger, .. } => games = ledger.games(),
        News::Begins { .. } | News::Changed(_) | News::KeepsDying { .. } => {}
    });
    assert!(over.unwrap().is_over);
    withdrawn.sort_unstable();
    assert_eq!(withdrawn, ["crash", "flood", "hang", "orphans"]);
    assert_eq!(games, Schedule::games(&tournament));
    store.check().unwrap();
    let series = store.find_tournament("cup").unwrap().unwrap().id;
    let stored = store.games(&Filter::of(series)).unwrap();
    let stored: Vec<StoredGame> = stored.map(|game| game.unwrap().1).collect();
    assert_eq!(stored.len() as u64, games);
    check_games(&stored);
    drop(store);
    stage.leave();
}

/// Every game with a hostile program in it is lost by one, through its own fault or because it was
/// withdrawn after three; all others are regular.
fn check_games(games: &[StoredGame]) {
    let mut streaks: BTreeMap<u32, u32> = BTreeMap::new();
    for game in games {
        let entrants = game.seats.as_slice().iter().map(|&number| ENTRANTS[number as usize]);
        let told = format!("game {}: {} ({:?})", game.number, game.end, game.evidence);
        if entrants.clone().all(|(_, _, fault)| fault.is_none()) {
            assert!(!game.end.starts_with("fault"), "{told}");
            continue;
        }
        let offender = game.offender.expect(&told);
        let number = game.seats[offender];
        let (name, _, fault) = ENTRANTS[number as usize];
        assert_eq!(game.points[offender], 0, "{told}");
        let gone = |number: u32| streaks.get(&number).is_some_and(|&streak| streak >= MOST_FAULTS);
        if game.seats.as_slice().iter().any(|&number| gone(number)) {
            assert!(gone(number) && game.end == "fault:withdrawn", "{name}, {told}");
            continue;
        }
        assert_eq!(Some(game.end.as_str()), fault, "{name}, {told}");
        for &one in game.seats.as_slice() {
            let streak = streaks.entry(one).or_default();
            *streak = if one == number { *streak + 1 } else { 0 };
        }
    }
}
