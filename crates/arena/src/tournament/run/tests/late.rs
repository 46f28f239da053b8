//! Agents that join, leave, come back and are replaced between two runs.

use std::path::PathBuf;

use agon_core::Rng;

use super::super::super::changes::Difference;
use super::super::super::summary::TournamentSummary;
use super::*;

/// A tournament of these agents, with what comes first in the file.
fn text(head: &str, agents: &[&str]) -> String {
    let agents: Vec<String> = agents.iter().map(|agent| format!("\"{agent}\"")).collect();
    format!("{head}\nvariant = \"breakthrough:5x5\"\ndepth = 1\nagents = [{}]\n", agents.join(", "))
}

const ROBIN: &str = "format = \"round-robin\"";
const GAUNTLET: &str = "format = \"gauntlet\"";

fn swiss(rounds: u32) -> String {
    format!("format = \"swiss\"\nrounds = {rounds}")
}

fn contest(rounds: u32) -> String {
    format!("format = \"contest\"\nrounds = {rounds}\nsettled = 1000")
}

/// A folder with a store, in which one file after another is run.
struct Cup(tempfile::TempDir);

impl Cup {
    fn new() -> Cup {
        Cup(tempfile::tempdir().unwrap())
    }

    fn store(&self) -> Store {
        Store::open(self.0.path()).unwrap()
    }

    fn read(&self, text: &str) -> Tournament {
        let file = self.0.path().join("cup.toml");
        fs::write(&file, text).unwrap();
        super::super::super::read(&file, &Registry::built_in().with(Filed)).unwrap()
    }

    /// Plays until this many new games are stored; to the end if there are not so many.
    fn play(&self, tournament: &Tournament, concurrency: usize, most: u64) -> bool {
        let (store, stop) = (self.store(), StopFlag::default());
        let (mut before, mut new) = (0, 0);
        let run = run(tournament, Some(&store), concurrency, &stop, &mut |news| match news {
            News::Begins { done, .. } => before = done,
            News::Game { ledger, .. } if ledger.games() > before => {
                new += 1;
                if new >= most {
                    stop.stop();
                }
            }
            _ => {}
        });
        run.unwrap().is_over
    }

    fn finish(&self, text: &str) {
        assert!(self.play(&self.read(text), 2, u64::MAX), "it was stopped");
        self.store().check().unwrap();
    }

    /// Plays exactly this many games.
    fn begin(&self, text: &str, games: u64) {
        self.finish(text);
        let series = self.store().find_tournament("cup").unwrap().unwrap();
        self.store().delete_from(series.id, games).unwrap();
    }

    /// Plays to the end, stopped again and again at random.
    fn finish_in_pieces(&self, text: &str, rng: &mut Rng) {
        let tournament = self.read(text);
        while !self.play(&tournament, 1 + rng.below(3) as usize, 1 + rng.below(4)) {}
        self.store().check().unwrap();
    }

    fn refused(&self, tournament: &Tournament) -> String {
        let (store, before) = (self.store(), self.games());
        let stop = StopFlag::default();
        let refused = run(tournament, Some(&store), 1, &stop, &mut |_| panic!("no news"));
        assert_eq!(self.games(), before, "nothing was played or deleted");
        refused.unwrap_err().to_string()
    }

    fn games(&self) -> Vec<String> {
        stored_games(&self.store(), "cup")
    }

    fn summary(&self) -> TournamentSummary {
        let store = self.store();
        let series = store.find_tournament("cup").unwrap().unwrap();
        TournamentSummary::of(&store, series).unwrap()
    }

    /// The number of games of every two agents that have met, by their names.
    fn meetings(&self) -> BTreeMap<(String, String), u64> {
        let summary = self.summary();
        let name = |agent: u16| summary.series.entrants[usize::from(agent)].name.clone();
        let named = |((one, other), it): (_, &super::super::super::pairs::PairTotals)| {
            let mut names = [name(one), name(other)];
            names.sort();
            let [one, other] = names;
            ((one, other), it.games())
        };
        summary.pairs.iter().map(named).collect()
    }
}

#[test]
fn late_agents_play_what_is_missing_interrupted_or_not() {
    let three = ["random", "greedy", "minimax"];
    let five = ["alphabeta", "random", "greedy", "ordered", "minimax"];
    let six = ["alphabeta", "random", "greedy", "ordered", "minimax", "mcts:iterations=9"];
    let gauntlet = ["random", "alphabeta", "greedy", "ordered", "minimax"];
    for (seed, files, games) in [
        (1, vec![text(ROBIN, &three), text(ROBIN, &five), text(ROBIN, &six)], 15 * 2),
        (2, vec![text(GAUNTLET, &three), text(GAUNTLET, &gauntlet)], 4 * 2),
        (3, vec![text(&swiss(2), &three), text(&swiss(4), &five)], (2 + 2 * 2) * 2),
        (4, vec![text(&contest(3), &five), text(&contest(6), &six)], (3 * 2 + 3 * 3) * 2),
    ] {
        let whole = Cup::new();
        files.iter().for_each(|file| whole.finish(file));
        assert_eq!(whole.games().len(), games);
        let summary = whole.summary();
        assert_eq!((summary.planned, summary.ledger.games()), (games as u64, games as u64));
        for round in 0..4 {
            let (pieces, mut rng) = (Cup::new(), Rng::new(seed * 100 + round));
            files.iter().for_each(|file| pieces.finish_in_pieces(file, &mut rng));
            assert_eq!(pieces.games(), whole.games());
        }
    }
}

#[test]
fn agents_can_join_in_the_middle() {
    let three = ["random", "greedy", "minimax"];
    let five = ["alphabeta", "random", "greedy", "ordered", "minimax"];
    let whole = Cup::new();
    whole.finish(&text(ROBIN, &three));
    whole.finish(&text(ROBIN, &five));
    for played in 1..6 {
        let cup = Cup::new();
        cup.begin(&text(ROBIN, &three), played);
        cup.finish_in_pieces(&text(ROBIN, &five), &mut Rng::new(played));
        assert_eq!(cup.games(), whole.games());
    }
    // Before the first game, they are simply there from the start.
    let cup = Cup::new();
    let stopped = StopFlag::default();
    stopped.stop();
    run(&cup.read(&text(ROBIN, &three)), Some(&cup.store()), 1, &stopped, &mut |_| {}).unwrap();
    cup.finish(&text(ROBIN, &five));
    assert!(cup.summary().series.members.iter().all(|member| member.joined == 0));
    assert_eq!(cup.meetings(), whole.meetings());
}

#[test]
fn who_is_no_longer_in_the_file_retires_and_may_come_back() {
    let (three, two) = (["random", "greedy", "minimax"], ["random", "minimax"]);
    let cup = Cup::new();
    cup.begin(&text(ROBIN, &three), 3);
    let before = cup.games();
    cup.finish_in_pieces(&text(ROBIN, &two), &mut Rng::new(1));
    let summary = cup.summary();
    assert!(summary.has_retired(1) && !summary.has_retired(0));
    assert_eq!(summary.ranking().last(), Some(&1));
    assert_eq!((summary.planned, summary.shortfall()), (summary.ledger.games(), None));
    assert!(cup.games().len() < 6 && cup.games().starts_with(&before));
    // It comes back, together with somebody new.
    let four = ["random", "greedy", "ordered", "minimax"];
    cup.finish_in_pieces(&text(ROBIN, &four), &mut Rng::new(2));
    let whole = Cup::new();
    whole.finish(&text(ROBIN, &three));
    whole.finish(&text(ROBIN, &four));
    assert_eq!(cup.games(), whole.games());
    assert_eq!(cup.summary().planned, 12);
}

#[test]
fn who_leaves_a_round_loses_the_rest_of_it() {
    let four = ["random", "greedy", "minimax", "ordered"];
    let cup = Cup::new();
    let file = text(&format!("{}\ngames = 4", swiss(3)), &four);
    cup.begin(&file, 1);
    let gone = cup.summary().ledger.agents().iter().position(|it| it.results.games > 0).unwrap();
    let rest: Vec<&str> = four.iter().copied().filter(|agent| *agent != four[gone]).collect();
    cup.finish_in_pieces(&file.replace(&format!("\"{}\", ", four[gone]), ""), &mut Rng::new(3));
    let summary = cup.summary();
    let totals = summary.ledger.agent(gone as u16);
    assert_eq!(totals.results.games, 4, "one round");
    assert_eq!(totals.results.faults, 3);
    assert_eq!(
        summary.shortfall().as_deref(),
        Some(&*format!("3 not played, and lost by withdrawn or retired agents: {}", four[gone]))
    );
    assert_eq!((summary.planned, summary.ledger.games()), (8 + 4 + 4, 16));
    assert_eq!((0..4).map(|agent| summary.byes(agent)).sum::<u64>(), 2, "of three, one rests");
    let refused = cup.refused(&cup.read(&file));
    assert!(refused.contains("give it another name"), "{refused}");
    let joins = text(&format!("{}\ngames = 4", swiss(3)), &[&rest[..], &["alphabeta"]].concat());
    let refused = cup.refused(&cup.read(&joins));
    assert!(refused.contains("all 3 rounds have begun; rounds = 4 or more"), "{refused}");
    cup.finish(&joins.replace("rounds = 3", "rounds = 5"));
    assert_eq!(cup.summary().ledger.games(), 16 + 2 * 8);
    let refused = cup.refused(&cup.read(&joins));
    assert!(refused.contains("rounds = 3 is too few: 5 rounds have begun"), "{refused}");
}

#[test]
fn a_gauntlet_keeps_its_champions() {
    let cup = Cup::new();
    cup.finish(&text(GAUNTLET, &["random", "greedy", "minimax"]));
    for other in [&["ordered", "random", "greedy", "minimax"][..], &["greedy", "minimax"]] {
        let refused = cup.refused(&cup.read(&text(GAUNTLET, other)));
        assert!(refused.contains("the first in the file must be random"), "{refused}");
    }
}

/// `filed:FILE` is a program made of one file, which gives up at its first move.
#[derive(Debug)]
struct Filed;

#[derive(Debug)]
struct FiledAgent(PathBuf);

impl OutsideKind for Filed {
    fn info(&self) -> AgentInfo {
        AgentInfo { name: "filed", about: "a file", ..Faulty.info() }
    }

    fn outside(&self, file: &str, settings: &Settings) -> Result<Box<dyn Outside>, AgentError> {
        Ok(Box::new(FiledAgent(settings.folder.clone().unwrap_or_default().join(file))))
    }
}

impl Outside for FiledAgent {
    fn check(&self, _: &Variant) -> Result<(), String> {
        Ok(())
    }

    fn files(&self) -> Vec<PathBuf> {
        vec![self.0.clone()]
    }

    fn start(&self, _: &Variant) -> Result<Box<dyn Remote>, NoAnswer> {
        Ok(Box::new(FiledAgent(self.0.clone())))
    }
}

impl Remote for FiledAgent {
    fn new_game(&mut self, _: Seat) -> Result<(), NoAnswer> {
        Ok(())
    }

    fn ask(&mut self, _: &Question<'_>) -> Result<Reply, NoAnswer> {
        let (text, time) = ("resign".to_string(), std::time::Duration::ZERO);
        Ok(Reply { text, time, claimed: None, nodes: 0, depth: 0, score: None })
    }

    fn last_lines(&self) -> String {
        String::new()
    }
}

/// A cup whose agent `bot` has changed after all games.
fn with_another_bot(head: &str, agents: &[&str]) -> (Cup, Tournament) {
    let cup = Cup::new();
    fs::write(cup.0.path().join("bot"), "one").unwrap();
    let text = text(head, agents).replace("\"bot\"", "{ name = \"bot\", agent = \"filed:bot\" }");
    cup.finish(&text);
    fs::write(cup.0.path().join("bot"), "two").unwrap();
    let tournament = cup.read(&text);
    (cup, tournament)
}

const WITH_BOT: [&str; 4] = ["random", "bot", "greedy", "minimax"];

#[test]
fn a_program_that_has_changed_is_asked_about() {
    let (cup, mut tournament) = with_another_bot(ROBIN, &WITH_BOT);
    let asked = run(&tournament, Some(&cup.store()), 1, &StopFlag::default(), &mut |_| {});
    let error = asked.unwrap_err();
    let words = error.to_string();
    for word in ["bot (its program has changed, 6 games so far)", "--changed keep", "as bot-2"] {
        assert!(words.contains(word), "{words}");
    }
    let RunError::ProgramChanged { agents, possible, .. } = error else { panic!("{words}") };
    assert_eq!((agents.len(), possible.len()), (1, 3));
    assert_eq!(agents[0].difference, Difference::Program);
    let changes = super::super::super::changes(&tournament, &cup.store()).unwrap().unwrap();
    assert_eq!(changes.changed, agents);
    let before = cup.games();
    tournament.changed = Changed::Keep;
    assert!(cup.play(&tournament, 1, u64::MAX));
    assert_eq!(cup.games(), before);
    tournament.changed = Changed::Ask;
    assert!(cup.play(&tournament, 1, u64::MAX), "what was kept is not asked about again");
}

#[test]
fn the_games_of_a_changed_program_are_played_again() {
    let (cup, mut tournament) = with_another_bot(ROBIN, &WITH_BOT);
    let before = cup.games();
    tournament.changed = Changed::Replay;
    cup.play(&tournament, 1, 1);
    assert!(cup.games().len() > 6, "the first of six, or more before it was stopped");
    tournament.changed = Changed::Ask;
    cup.play(&tournament, 2, u64::MAX);
    assert_eq!(cup.games(), before, "it plays just as badly as before");
    let (cup, mut tournament) = with_another_bot(&swiss(2), &WITH_BOT);
    tournament.changed = Changed::Replay;
    let refused = cup.refused(&tournament);
    assert!(refused.contains("cannot be replayed") && refused.contains("enter"), "{refused}");
}

#[test]
fn a_new_version_enters_and_the_old_one_retires() {
    let (cup, mut tournament) = with_another_bot(ROBIN, &WITH_BOT);
    tournament.changed = Changed::Enter;
    cup.play(&tournament, 1, 2);
    tournament.changed = Changed::Ask;
    assert!(cup.play(&tournament, 2, u64::MAX), "the file is about the new version");
    let meetings = cup.meetings();
    let with = |name: &str| {
        let of = meetings.iter().filter(|((one, other), _)| one == name || other == name);
        of.map(|(_, games)| *games).sum::<u64>()
    };
    assert_eq!((with("bot"), with("bot-2"), cup.games().len()), (6, 6, 18));
    let summary = cup.summary();
    assert!(summary.has_retired(1) && !summary.has_retired(4));
    assert_eq!((summary.planned, summary.joined_late(4)), (18, Some(1)));
    // The next version is the third.
    fs::write(cup.0.path().join("bot"), "three").unwrap();
    let changes = super::super::super::changes(&tournament, &cup.store()).unwrap().unwrap();
    assert_eq!(changes.changed[0].name, "bot-2");
    assert_eq!(changes.changed[0].new_name, "bot-3");
    // Nobody else can take its name.
    let taken = text(ROBIN, &["random", "greedy", "minimax"])
        .replace("\"minimax\"", "\"minimax\", { name = \"bot-2\", agent = \"mcts\" }");
    let refused = cup.refused(&cup.read(&taken));
    assert!(refused.contains("is taken by a version of \"bot\""), "{refused}");
}

#[test]
fn a_new_version_joins_a_contest_with_the_next_round() {
    let (cup, mut tournament) = with_another_bot(&contest(2), &WITH_BOT);
    tournament.changed = Changed::Enter;
    let refused = cup.refused(&tournament);
    assert!(refused.contains("rounds = 3 or more"), "{refused}");
    tournament.format = Format::Contest { rounds: 4, settled: 1000.0, groups: 1 };
    assert!(cup.play(&tournament, 2, u64::MAX));
    let summary = cup.summary();
    assert_eq!((summary.rounds, summary.planned, summary.ledger.games()), (4, 16, 16));
    assert_eq!(summary.ledger.agent(1).results.games, 4);
    assert_eq!(summary.ledger.agent(4).results.games, 4);
    assert!(summary.rating(4).is_some());
}

#[test]
fn another_text_or_other_options_are_a_change_too() {
    let cup = Cup::new();
    let file = |agent: &str| text(ROBIN, &["random", "bot"]).replace("\"bot\"", agent);
    cup.finish(&file("{ name = \"bot\", agent = \"greedy\" }"));
    for (agent, words) in [
        ("{ name = \"bot\", agent = \"minimax\" }", "greedy before, minimax now"),
        ("{ name = \"bot\", agent = \"mcts\", options = { iterations = 5 } }", "greedy before"),
    ] {
        let refused = cup.refused(&cup.read(&file(agent)));
        assert!(refused.contains(words) && refused.contains("2 games so far"), "{refused}");
    }
    // Who has not played yet is simply another one.
    let cup = Cup::new();
    let stopped = StopFlag::default();
    stopped.stop();
    let before = cup.read(&file("{ name = \"bot\", agent = \"greedy\" }"));
    run(&before, Some(&cup.store()), 1, &stopped, &mut |_| {}).unwrap();
    cup.finish(&file("{ name = \"bot\", agent = \"minimax\" }"));
    assert_eq!(cup.summary().series.entrants[1].agent, "minimax");
}
