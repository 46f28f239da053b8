//! Noise instead of tournaments. Only agents inside this program take part, and nothing is played.

use super::*;
use crate::noise::{Texts, soak};
use crate::tournament::ledger::Ledger;
use crate::tournament::outline::Outline;

const FILES: &[&str] = &[
    "format = \"round-robin\"
variant = \"breakthrough:5x5\"
agents = [\"random\", \"greedy\", \"alphabeta:depth=2\"]
",
    "name = \"Autumn cup\"
format = \"contest\"
rounds = 12
settled = 7.5
groups = 3
games = 3
seed = 42
concurrency = 1
oversubscribe = false
[[terms]]
variant = [\"breakthrough:5x5\", \"breakthrough:6x6\"]
per_move = [\"1s\", \"250ms\"]
openings = \"random:2\"
[[terms]]
variant = \"congo\"
time = \"10s+100ms\"
depth = 4
[[agents]]
name = \"mine\"
agent = \"minimax\"
options = { depth = 3, eval = \"simple\" }
memory_mib = 100
cpu = \"10m\"
[[agents]]
agent = \"random\"
threads = 2
patience = \"60s\"
",
    "format = \"gauntlet\"
champions = 2
variant = \"fenix\"
nodes = 1000
openings = \"start\"
isolation = \"none\"
pondering = true
agents = [\"greedy\", \"random\", \"random\", { agent = \"random\", name = \"third\" }]
",
    "format = \"swiss\"
rounds = 5
variant = \"fauhalma:star3\"
games = 6
time = [\"5m\", \"1m+1s\"]
agents = [\"random\", \"random\", \"random\", \"greedy\"]
",
    "format = 'swiss' # dotted and multi-line
terms = [{ variant = 'wumpus:6', per_move = '1s', openings = 'random:3' }]
name = \"\"\"a
b\"\"\"
agents = [
  'random',
  { agent = 'random', options.x = 1 },
]
",
];

const WORDS: &[&str] = &[
    "format = ",
    "\"swiss\"",
    "\"contest\"",
    "\"gauntlet\"",
    "rounds = ",
    "champions = ",
    "groups = ",
    "games = ",
    "agents = ",
    "[[agents]]\n",
    "[[terms]]\n",
    "[terms]\n",
    "variant = ",
    "\"congo\"",
    "\"breakthrough:5x5\"",
    "\"wumpus:6\"",
    "openings = ",
    "\"random:1000\"",
    "\"book:2\"",
    "\"balanced\"",
    "\"/\"",
    "time = ",
    "\"1ms+0s\"",
    "per_move = ",
    "\"30s\"",
    "\"random\", ",
    "\"engine\"",
    "agent = ",
    "name = ",
    "options = ",
    "settled = ",
    "seed = ",
    "concurrency = ",
    "readable = ",
    "0x7fff",
    "1979-05-27T07:32:00Z",
    "a.b.c = ",
];

/// What a tournament that was accepted promises.
fn exercise(tournament: &Tournament, registry: &Registry) {
    let Tournament { entrants, terms, seats, .. } = tournament;
    assert!((1..=MOST_TERMS).contains(&terms.len()) && (2..=4).contains(seats));
    assert!((*seats..=2000).contains(&entrants.len()));
    let mut names: Vec<&str> = entrants.iter().map(|entrant| entrant.name.as_str()).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    let source = tournament.source.as_deref().unwrap();
    let again = read_text(source, Path::new("spring.toml"), registry).unwrap();
    assert_eq!(format!("{again:?}"), format!("{tournament:?}"));
    walk(tournament);
}

/// Walks through the beginning of the schedule, as far as it does not depend on results.
fn walk(tournament: &Tournament) {
    const MOST_AGENTS: usize = 60;
    const MOST_BATCHES: usize = 20;
    let all = Schedule::games(tournament);
    assert!((1..=MOST_GAMES_IN_ALL).contains(&all), "{all} games");
    let agents = tournament.entrants.len();
    if agents > MOST_AGENTS {
        return;
    }
    let mut schedule = Schedule::new(Outline::of(tournament));
    let ledger = Ledger::for_ratings(agents, tournament.seats);
    let mut planned = 0;
    for _ in 0..MOST_BATCHES {
        let Some(batch) = schedule.next(&ledger) else { break };
        let games = batch.games();
        for index in [0, games / 2, games - 1] {
            let fixture = batch.fixture(index).unwrap();
            assert_eq!(fixture.number, planned + index);
            assert!(usize::from(fixture.terms) < tournament.terms.len());
            let seated = fixture.seating.as_slice();
            assert!(seated.iter().all(|&agent| usize::from(agent) < agents), "{fixture:?}");
        }
        assert_eq!(batch.fixture(games), None);
        planned += games;
    }
    assert!((1..=all).contains(&planned), "{planned} of {all} games");
}

#[test]
fn no_text_breaks_the_reader_of_tournaments() {
    let corpus = FILES.iter().map(ToString::to_string).collect();
    let mut texts = Texts::new(corpus, WORDS, 1);
    let registry = Registry::built_in();
    let mut read = 0;
    for _ in 0..20_000 * soak() {
        let text = texts.damaged();
        match read_text(&text, Path::new("spring.toml"), &registry) {
            Ok(tournament) => {
                read += 1;
                exercise(&tournament, &registry);
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        names_files(&text);
    }
    assert!(read > 500, "too little of this noise is a tournament: {read}");
}

/// None of these may fill the stack or take time that grows faster than the text.
#[test]
fn nothing_is_nested_too_deeply_or_repeated_too_often() {
    const MANY: usize = 100_000;
    let repeated =
        |head: &str, part: &str, tail: &str| format!("{head}{}{tail}", part.repeat(MANY));
    for text in [
        repeated("format = ", "[", ""),
        repeated("format = ", "{ a = ", ""),
        repeated("a", ".a", " = 1"),
        repeated("[a", ".a", "]"),
        repeated("[[a", ".a", "]]"),
        repeated("", "[[agents]]\n", ""),
        repeated("", "[[terms]]\nvariant = \"congo\"\n", ""),
        repeated("agents = [", "\"random\",", "]"),
        repeated("format = \"swiss\"\nvariant = \"congo\"\nagents = [", "\"random\",", "]"),
        repeated("format = \"swiss\"\nagents = []\nvariant = [", "\"congo\",", "]"),
        repeated("format = \"swiss\"\nagents = []\nvariant = \"congo\"\ntime = [", "\"1s\",", "]"),
        repeated("format = \"", "x", "\""),
        repeated("", "#\n", ""),
    ] {
        let error = read_text(&text, Path::new("spring.toml"), &Registry::built_in()).unwrap_err();
        assert!(error.to_string().len() < 20 * MANY, "{:.200}", error.to_string());
    }
}
