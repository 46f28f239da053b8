//! Which search is best with three players? `cargo xtask methods [VARIANT]`.
//!
//! The strength of an agent depends on its opponents, so every mix of three agents plays, including
//! mixes with an agent twice, in all seatings. The table has the mean points per game, out of 2: of
//! the row's agent over its games with at least one opponent of the column's, and over all its
//! games.
//!
//! `games=N` is the number of games of each mix, a multiple of six; `time=50ms` the time per move;
//! `agent=TEXT`, more than once, names other agents; `seed=N` gives other openings. `data=DIR` or
//! `AGON_DATA` is the folder with the tables of FAUhalma.
//!
//! Games lost by a fault count like others and are printed one by one: with many of them the table
//! says more about the machine than about the searches. A smaller table (`agent=brs:hash=4`) or a
//! less busy machine helps.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use agon_arena::clock::{Pace, TimeControl, duration_text, read_duration};
use agon_arena::course_rating::{in_course_points, top_points};
use agon_arena::estimate::{Estimate, Sample};
use agon_arena::fixture::whole_groups;
use agon_arena::tables::{TableFolder, TableId};
use agon_arena::{Agent, GameSummary, Match, News, words};
use agon_core::{MAX_SEATS, Seat, Variant};
use agon_games::{Catalog, TableInfo, games_with_tables};
use agon_search::{AgentSpec, StopFlag};

const AGENTS: &[&str] = &["paranoid", "maxn", "brs", "brs:plus=on", "mcts"];
const PLAYERS: usize = 3;
const OPENINGS: &str = "random:4";
/// The points of a first place in the arena.
const FULL: f64 = 100.0;

type Failure = Box<dyn std::error::Error>;

/// The command line.
struct Arguments {
    variant: Variant,
    agents: Vec<AgentSpec>,
    games: u64,
    per_move: Duration,
    seed: u64,
    data: Option<PathBuf>,
}

impl Arguments {
    fn read(texts: impl Iterator<Item = String>) -> Result<Arguments, Failure> {
        let mut arguments = Arguments {
            variant: "fauhalma:star3".parse()?,
            agents: Vec::new(),
            games: 12,
            per_move: Duration::from_millis(50),
            seed: 2026,
            data: std::env::var_os("AGON_DATA").filter(|text| !text.is_empty()).map(PathBuf::from),
        };
        for text in texts {
            match text.split_once('=') {
                Some(("games", number)) => arguments.games = number.parse()?,
                Some(("time", time)) => arguments.per_move = read_duration(time)?,
                Some(("agent", agent)) => arguments.agents.push(agent.parse()?),
                Some(("seed", number)) => arguments.seed = number.parse()?,
                Some(("data", folder)) => arguments.data = Some(PathBuf::from(folder)),
                // Options of a variant contain = too.
                _ => arguments.variant = text.parse()?,
            }
        }
        if arguments.agents.is_empty() {
            arguments.agents = AGENTS.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
        }
        if arguments.agents.len() < 2 {
            return Err("expected at least two agents".into());
        }
        arguments.games = whole_groups(arguments.games, PLAYERS);
        Ok(arguments)
    }

    /// The games, with the tables of the data folder.
    fn catalog(&self) -> Catalog {
        match &self.data {
            Some(folder) => Catalog::built_in().with_tables(Arc::new(TableFolder::new(folder))),
            None => Catalog::built_in(),
        }
    }

    /// A note about the tables of the variant.
    fn tables(&self) -> String {
        let of_game = games_with_tables().filter(|(game, _)| game.name == self.variant.game());
        let serving = |table: &&TableInfo| (table.serves)(&self.variant);
        let mut tables = of_game.flat_map(|(game, all)| {
            all.iter().filter(serving).map(move |table| (game.name, table))
        });
        let Some((game, table)) = tables.next() else {
            return "there are none for this variant".to_string();
        };
        let Some(folder) = &self.data else {
            return "not used (give data=DIR or set AGON_DATA)".to_string();
        };
        let store = TableFolder::new(folder);
        let id = TableId::of(game, table);
        match store.open(&id) {
            Ok(_) => format!("used ({})", table.name),
            Err(problem) => {
                format!("not used ({} is {problem})", store.file(&id).display())
            }
        }
    }

    fn a_match(&self, catalog: &Catalog, mix: [usize; PLAYERS]) -> Result<Match, Failure> {
        Ok(Match {
            catalog: catalog.clone(),
            variant: self.variant.clone(),
            agents: mix.map(|agent| Agent::built_in(self.agents[agent].clone())).to_vec(),
            games: self.games,
            pace: Pace {
                time: TimeControl { per_move: Some(self.per_move), ..TimeControl::default() },
                ..Pace::default()
            },
            openings: OPENINGS.parse()?,
            seed: self.seed,
            concurrency: available_parallelism().map_or(1, usize::from),
            sprt: None,
            replay_disturbed: false,
            reference_speed: None,
        })
    }
}

/// All mixes of three agents that are not all the same.
fn mixes(agents: usize) -> Vec<[usize; PLAYERS]> {
    let mut mixes = Vec::new();
    for first in 0..agents {
        for second in first..agents {
            let thirds = (second..agents).filter(|third| *third != first);
            mixes.extend(thirds.map(|third| [first, second, third]));
        }
    }
    mixes
}

/// The points of many games.
#[derive(Clone, Copy, Default)]
struct Mean {
    points: u64,
    games: u64,
}

impl Mean {
    fn add(&mut self, points: u8) {
        self.points += u64::from(points);
        self.games += 1;
    }

    /// The mean, out of 2.
    fn text(&self) -> String {
        if self.games == 0 {
            return "–".to_string();
        }
        let mean = self.points as f64 / self.games as f64;
        format!("{:.2}", mean * top_points(PLAYERS) / FULL)
    }
}

/// The results of all games.
struct Results {
    /// Points of every agent in games with every other.
    pairs: Vec<Vec<Mean>>,
    /// Points of every agent in all its games.
    all: Vec<Sample>,
    seats: [Mean; MAX_SEATS],
    faults: Vec<u64>,
    games: u64,
}

impl Results {
    fn new(agents: usize) -> Results {
        Results {
            pairs: vec![vec![Mean::default(); agents]; agents],
            all: vec![Sample::default(); agents],
            seats: [Mean::default(); MAX_SEATS],
            faults: vec![0; agents],
            games: 0,
        }
    }

    fn add(&mut self, mix: [usize; PLAYERS], game: &GameSummary) {
        let offender = game.offence().map(|(seat, _)| seat);
        for (seat, &entry) in game.seating.iter() {
            let entry = usize::from(entry);
            let (agent, mine) = (mix[entry], game.points[seat]);
            let mut others: Vec<usize> =
                (0..PLAYERS).filter(|other| *other != entry).map(|other| mix[other]).collect();
            others.dedup();
            others.iter().for_each(|other| self.pairs[agent][*other].add(mine));
            self.all[agent].add(f64::from(mine) / FULL);
            self.seats[seat.index()].add(mine);
            self.faults[agent] += u64::from(offender == Some(seat));
        }
        self.games += 1;
    }

    /// Ends the games of an opening.
    fn close_group(&mut self) {
        for sample in &mut self.all {
            sample.close_group();
        }
    }

    fn print(&self, agents: &[AgentSpec], seat_names: &[&str]) {
        let names: Vec<String> = agents.iter().map(|agent| format!("`{agent}`")).collect();
        println!("| | {} | all, 95 % |", names.join(" | "));
        println!("|---|{}---|", "---|".repeat(names.len()));
        for ((name, row), all) in names.iter().zip(&self.pairs).zip(&self.all) {
            let cells: Vec<String> = row.iter().map(Mean::text).collect();
            println!("| {name} | {} | {} |", cells.join(" | "), interval(all.mean_points()));
        }
        let seats = seat_names.iter().zip(&self.seats);
        let seats: Vec<String> =
            seats.map(|(seat, mean)| format!("{seat} {}", mean.text())).collect();
        println!("\nSeats: {}. Games: {}.", seats.join(", "), self.games);
        for (name, faults) in names.iter().zip(&self.faults).filter(|(_, faults)| **faults > 0) {
            println!("Faults of {name}: {faults}.");
        }
    }
}

/// Mean points out of 100 as points out of 2.
fn interval(points: Option<Estimate>) -> String {
    points.map_or(String::new(), |mean| words::mean(in_course_points(mean, PLAYERS), 2))
}

fn main() -> Result<(), Failure> {
    let arguments = Arguments::read(std::env::args().skip(1))?;
    let (tables, catalog) = (arguments.tables(), arguments.catalog());
    let mixes = mixes(arguments.agents.len());
    let mut results = Results::new(arguments.agents.len());
    let table = catalog.open(&arguments.variant)?;
    let seats: Vec<&str> = Seat::all(table.seats()).map(|seat| table.seat_name(seat)).collect();
    for (index, &mix) in mixes.iter().enumerate() {
        let names = mix.map(|agent| arguments.agents[agent].to_string()).join(", ");
        eprintln!("mix {} of {}: {names}", index + 1, mixes.len());
        let group_size = whole_groups(1, PLAYERS);
        arguments.a_match(&catalog, mix)?.play(None, &StopFlag::default(), &mut |news| {
            let News::Game { game, .. } = news else { return };
            let summary = &game.summary;
            if let Some((seat, _)) = summary.offence() {
                let agent = &arguments.agents[mix[usize::from(summary.seating[seat])]];
                let (after, what) = (summary.plies, summary.ending());
                eprintln!("  fault of {agent} after {after} plies: {what}");
            }
            results.add(mix, summary);
            if (summary.number + 1).is_multiple_of(group_size) {
                results.close_group();
            }
        })?;
    }
    println!(
        "`{}`, {} per move, {} mixes of {} games, openings {OPENINGS}, seed {}. Tables: {tables}.\n",
        arguments.variant,
        duration_text(arguments.per_move),
        mixes.len(),
        arguments.games,
        arguments.seed,
    );
    results.print(&arguments.agents, &seats);
    Ok(())
}
