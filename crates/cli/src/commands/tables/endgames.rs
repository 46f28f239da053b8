//! Endgame tables: building, listing, checking them, and what is in them.

use std::io::Write;
use std::time::Instant;

use agon_arena::files::shown;
use agon_arena::tables::{EndgameShelf, NotBuilt, TableFolder, Unusable};
use agon_games::endgame::{EndgameFamily, EndgameStats, Exact, Extreme, Mistake, SideStats};
use agon_games::{endgames_by_game, endgames_of};
use anyhow::anyhow;
use cpu_time::ProcessTime;
use serde::Serialize;

use super::{Watch, threads, unbuilt};
use crate::args::{TablesBuildArgs, TablesCheckArgs, TablesStatsArgs};
use crate::draw::palette::{BOLD, DIM};
use crate::draw::styled;
use crate::failure::bad_input;
use crate::output::{print_json, thousands};

/// How many men are built by default.
const MEN: usize = 4;
const MIB: u64 = 1 << 20;

/// Builds the endgame tables that were asked for, and those that they need.
pub(super) fn build(
    args: &TablesBuildArgs,
    store: &TableFolder,
    family: &'static dyn EndgameFamily,
) -> anyhow::Result<()> {
    if args.only.is_some() {
        let problem = format!("the tables of {} are endgames: choose with --material", args.game);
        return Err(bad_input(problem));
    }
    let wanted = wanted(args, family)?;
    let mut shelf = EndgameShelf::new(family);
    let mut missing = Vec::new();
    for &number in wanted.iter().filter(|&&number| family.embedded_table(number).is_none()) {
        match store.open_endgame(&args.game, family, number) {
            Ok(table) if !args.force => shelf.add(number, table),
            _ => missing.push(number),
        }
    }
    announce(args, family, &wanted, &missing)?;
    let (started, cpu_started) = (Instant::now(), ProcessTime::now());
    let entries = |number: usize| family.entries(number) as u64;
    let total = missing.iter().map(|&number| entries(number)).sum();
    let mut watch = Watch::new(total);
    let built = missing.iter().try_for_each(|&number| {
        build_one(args, store, family, number, &mut shelf, &mut watch)?;
        watch.done(entries(number));
        Ok(())
    });
    watch.finish();
    if !missing.is_empty() && built.is_ok() {
        let (wall, cpu) = (started.elapsed().as_secs_f64(), cpu_started.elapsed().as_secs_f64());
        let effort = format!("in {wall:.1} s, {cpu:.1} s of CPU time");
        let tables = tables_in_words(missing.len());
        writeln!(anstream::stdout(), "{tables}, {} bytes, {effort}", thousands(total))?;
    }
    built
}

/// The tables that were asked for, with those that they need, in the order in which they are built.
fn wanted(args: &TablesBuildArgs, family: &dyn EndgameFamily) -> anyhow::Result<Vec<usize>> {
    let men = args.men.map_or(MEN, |men| men as usize);
    if let Some(name) = &args.material {
        let number = material(&args.game, family, name)?;
        if family.men(number) > men.max(MEN) || args.men.is_some_and(|_| family.men(number) > men) {
            return Err(bad_input(format!(
                "{} has {} men: build it with --men {} --material {}",
                family.name(number),
                family.men(number),
                family.men(number),
                family.name(number)
            )));
        }
        let mut wanted = family.needs(number);
        wanted.push(number);
        return Ok(wanted);
    }
    let all: Vec<usize> = (0..family.count()).filter(|&number| family.men(number) <= men).collect();
    if men > MEN {
        let largest = all.iter().filter(|&&number| family.men(number) == men);
        let bytes: u64 = largest.clone().map(|&number| family.entries(number) as u64).sum();
        return Err(bad_input(format!(
            "with {men} men there are {} endgames of {} MB in all: choose one with --material, \
             such as {}",
            largest.clone().count(),
            thousands(bytes / 1_000_000),
            largest.clone().next().map_or(String::new(), |&number| family.name(number)),
        )));
    }
    Ok(all)
}

/// The number of a material.
fn material(game: &str, family: &dyn EndgameFamily, name: &str) -> anyhow::Result<usize> {
    family.read(name).ok_or_else(|| {
        let example = family.name(family.count() / 2);
        let problem = format!(
            "no endgame of {game} with the material {name:?}: expected the men of both sides by \
             their letters, at most five in all, such as {example}"
        );
        bad_input(problem)
    })
}

/// Says what a build will take; an error if that is more memory than it may use.
fn announce(
    args: &TablesBuildArgs,
    family: &dyn EndgameFamily,
    wanted: &[usize],
    missing: &[usize],
) -> anyhow::Result<()> {
    let mut out = anstream::stdout();
    let embedded = wanted.iter().filter(|&&number| family.embedded_table(number).is_some()).count();
    let kept = wanted.len() - missing.len() - embedded;
    if embedded > 0 {
        writeln!(out, "{} part of the program", are(embedded))?;
    }
    if kept > 0 {
        writeln!(out, "{} kept: intact", are(kept))?;
    }
    if missing.is_empty() {
        return Ok(());
    }
    let size = |number: &usize| family.entries(*number) as u64;
    let disk: u64 = missing.iter().map(size).sum();
    // A build also reads the tables of what its positions can turn into.
    let memory = |&number: &usize| {
        family.memory(number) + family.needs(number).iter().map(size).sum::<u64>()
    };
    let most = missing.iter().map(memory).max().unwrap_or(0);
    writeln!(
        out,
        "{} to build: {} bytes on disk, {} MiB of memory",
        tables_in_words(missing.len()),
        thousands(disk),
        most.div_ceil(MIB)
    )?;
    if most > args.memory.saturating_mul(MIB) {
        let needed = most.div_ceil(MIB);
        let problem =
            format!("this needs {needed} MiB of memory, more than --memory {}", args.memory);
        return Err(bad_input(problem));
    }
    Ok(())
}

fn tables_in_words(count: usize) -> String {
    crate::output::count(count as u64, "table", "tables")
}

fn are(count: usize) -> String {
    format!("{} {}", tables_in_words(count), if count == 1 { "is" } else { "are" })
}

fn build_one(
    args: &TablesBuildArgs,
    store: &TableFolder,
    family: &'static dyn EndgameFamily,
    number: usize,
    shelf: &mut EndgameShelf,
    watch: &mut Watch,
) -> anyhow::Result<()> {
    let name = family.name(number);
    watch.name(&name);
    let started = Instant::now();
    let (game, tables) = (&args.game, shelf.tables());
    let see = &mut |progress| watch.see(progress);
    let built = store.build_endgame(game, family, number, &tables, threads(args.threads), see);
    let file = store.endgame_file(game, family, number);
    built.map_err(|problem| match problem {
        NotBuilt::Stopped => anyhow!("stopped; the same command continues with {name}"),
        problem => unbuilt(problem, &file),
    })?;
    let table = store.open_endgame(game, family, number);
    shelf.add(number, table.map_err(|problem| anyhow!("{} is {problem}", shown(&file)))?);
    let entries = thousands(family.entries(number) as u64);
    let effort = format!("{entries:>12} entries in {:.1} s", started.elapsed().as_secs_f64());
    watch.say(&format!("{}  {}", styled(BOLD, &format!("{name:<8}")), styled(DIM, &effort)))
}

/// The endgame tables of one game with the same number of men.
#[derive(Serialize)]
pub(super) struct GroupJson {
    game: &'static str,
    men: usize,
    /// How many there can be.
    tables: usize,
    /// How many there are.
    present: usize,
    bytes: u64,
    /// `embedded`, `ok`, `incomplete`, `missing` or `damaged`.
    state: &'static str,
    /// Those that are there but cannot be used.
    pub(super) damaged: Vec<DamagedJson>,
}

#[derive(Serialize)]
pub(super) struct DamagedJson {
    name: String,
    file: String,
    problem: String,
}

/// All endgame tables, by game and number of men.
pub(super) fn groups(store: &TableFolder) -> Vec<GroupJson> {
    let sizes = |family: &'static dyn EndgameFamily| {
        let mut sizes: Vec<usize> = (0..family.count()).map(|number| family.men(number)).collect();
        sizes.dedup();
        sizes
    };
    let of_game = |(game, family): agon_games::GameEndgames| {
        let present = store.endgame_files(game.name, family);
        let group = move |men| group(store, game.name, family, men, &present);
        sizes(family).into_iter().map(group)
    };
    endgames_by_game().flat_map(of_game).collect()
}

fn group(
    store: &TableFolder,
    game: &'static str,
    family: &dyn EndgameFamily,
    men: usize,
    files: &[usize],
) -> GroupJson {
    let members = (0..family.count()).filter(|&number| family.men(number) == men);
    let (mut tables, mut present, mut bytes, mut embedded) = (0, 0, 0, 0);
    let mut damaged = Vec::new();
    for number in members {
        tables += 1;
        if let Some(table) = family.embedded_table(number) {
            embedded += 1;
            bytes += table.len() as u64;
        } else if files.contains(&number) {
            let file = store.endgame_file(game, family, number);
            present += 1;
            bytes += std::fs::metadata(&file).map_or(0, |about| about.len());
            match store.open_endgame(game, family, number) {
                Ok(_) | Err(Unusable::Missing) => {}
                Err(problem) => damaged.push(DamagedJson {
                    name: family.name(number),
                    file: file.display().to_string(),
                    problem: problem.to_string(),
                }),
            }
        }
    }
    let state = match present + embedded {
        _ if !damaged.is_empty() => "damaged",
        _ if embedded == tables => "embedded",
        0 => "missing",
        all if all == tables => "ok",
        _ => "incomplete",
    };
    GroupJson { game, men, tables, present: present + embedded, bytes, state, damaged }
}

impl GroupJson {
    pub(super) fn print(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let GroupJson { game, men, tables, present, bytes, state, .. } = *self;
        let name = styled(BOLD, &format!("{:<22}", format!("{game}, {men} men")));
        let size = if bytes > 0 { format!("{} bytes", thousands(bytes)) } else { String::new() };
        let about = match state {
            "embedded" => "part of the program".to_string(),
            "missing" => format!("missing: {tables} endgame tables"),
            "incomplete" => format!("{present} of {tables} endgame tables"),
            state => format!(
                "{state}, {}",
                crate::output::count(tables as u64, "endgame table", "endgame tables")
            ),
        };
        writeln!(out, "{name}  {size:>17}  {about}")?;
        for DamagedJson { file, problem, .. } in &self.damaged {
            writeln!(out, "  {}: {problem}", shown(file.as_ref()))?;
        }
        Ok(())
    }
}

/// Checks every position of the endgame tables that are there.
pub(super) fn check(store: &TableFolder, args: &TablesCheckArgs) -> anyhow::Result<()> {
    let families: Vec<_> = match &args.game {
        Some(game) => vec![(game.as_str(), endgames(game)?)],
        None => endgames_by_game().map(|(game, family)| (game.name, family)).collect(),
    };
    let shelves: Vec<_> = families
        .into_iter()
        .map(|(game, family)| (game, family, shelf(store, game, family)))
        .collect();
    let size = |family: &dyn EndgameFamily, shelf: &EndgameShelf| -> u64 {
        let there = (0..family.count()).filter(|&number| shelf.get(number).is_some());
        there.map(|number| family.entries(number) as u64).sum()
    };
    let total = shelves.iter().map(|(_, family, shelf)| size(*family, shelf)).sum();
    let mut watch = Watch::new(total);
    let mut wrong = 0;
    for (game, family, shelf) in &shelves {
        let tables = shelf.tables();
        for number in (0..family.count()).filter(|&number| shelf.get(number).is_some()) {
            let name = format!("{game} {}", family.name(number));
            watch.name(&name);
            let see = &mut |progress| watch.see(progress);
            let found = family.verify(number, &tables, threads(args.threads), see);
            let mistake = found.map_err(|_| anyhow!("stopped"))?;
            let verdict = mistake.as_ref().map_or("every position is right".to_string(), in_words);
            wrong += usize::from(mistake.is_some());
            watch.say(&format!("{}  {verdict}", styled(BOLD, &format!("{name:<14}"))))?;
            watch.done(family.entries(number) as u64);
        }
    }
    watch.finish();
    match wrong {
        0 => Ok(()),
        1 => Err(anyhow!("a table is wrong")),
        wrong => Err(anyhow!("{wrong} tables are wrong")),
    }
}

fn in_words(mistake: &Mistake) -> String {
    let value = |value: Option<Exact>| match value {
        Some(Exact::Win(plies)) => format!("a win in {plies}"),
        Some(Exact::Draw) => "a draw".to_string(),
        Some(Exact::Loss(plies)) => format!("a loss in {plies}"),
        None => "unknown".to_string(),
    };
    let Mistake { position, stored, expected } = mistake;
    format!("WRONG: {position} is {} by its moves, not {}", value(*expected), value(*stored))
}

/// The endgame tables of a game.
fn endgames(game: &str) -> anyhow::Result<&'static dyn EndgameFamily> {
    endgames_of(game).ok_or_else(|| {
        let names: Vec<&str> = endgames_by_game().map(|(game, _)| game.name).collect();
        bad_input(format!("no endgame tables for {game}, only for {}", names.join(", ")))
    })
}

/// All intact tables of a game.
fn shelf(store: &TableFolder, game: &str, family: &'static dyn EndgameFamily) -> EndgameShelf {
    let mut shelf = EndgameShelf::new(family);
    for number in store.endgame_files(game, family) {
        if let Ok(table) = store.open_endgame(game, family, number) {
            shelf.add(number, table);
        }
    }
    shelf
}

#[derive(Serialize)]
struct StatsJson {
    game: String,
    endgames: Vec<EndgameJson>,
}

#[derive(Serialize)]
struct EndgameJson {
    material: String,
    men: usize,
    bytes: usize,
    /// For each side to move, the side that is named first before the other.
    to_move: Vec<SideJson>,
}

#[derive(Serialize)]
struct SideJson {
    side: &'static str,
    positions: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    longest_win: Option<ExtremeJson>,
    longest_loss: Option<ExtremeJson>,
}

#[derive(Serialize)]
struct ExtremeJson {
    plies: u32,
    position: String,
}

/// Shows what is in the tables of a game.
pub(super) fn stats(store: &TableFolder, args: &TablesStatsArgs) -> anyhow::Result<()> {
    let family = endgames(&args.game)?;
    let shelf = shelf(store, &args.game, family);
    let wanted = match &args.material {
        Some(name) => {
            let number = material(&args.game, family, name)?;
            if shelf.get(number).is_none() {
                let (name, men) = (family.name(number), family.men(number));
                let men = if men > MEN { format!(" --men {men}") } else { String::new() };
                return Err(anyhow!(
                    "there is no intact table of {name}; agon tables build {}{men} --material \
                     {name} builds it",
                    args.game
                ));
            }
            vec![number]
        }
        None => (0..family.count()).filter(|&number| shelf.get(number).is_some()).collect(),
    };
    let found = wanted
        .into_iter()
        .filter_map(|number| Some((number, family.stats(number, shelf.get(number)?))));
    if args.json {
        let endgames = found.map(|(number, stats)| endgame_json(family, number, stats)).collect();
        print_json(&StatsJson { game: args.game.clone(), endgames })?;
        return Ok(());
    }
    let mut out = anstream::stdout();
    let names = ["material", "to move", "positions", "wins", "draws", "losses"];
    let [material, side, positions, wins, draws, losses] = names;
    let title = format!(
        "{material:<9} {side:<9} {positions:>11} {wins:>11} {draws:>11} {losses:>11}  longest win"
    );
    writeln!(out, "{}", styled(DIM, &title))?;
    for (number, stats) in found {
        print_stats(&mut out, &family.name(number), &stats)?;
    }
    Ok(())
}

/// Which side is to move in each part of the statistics.
const SIDES: [&str; 2] = ["first", "second"];

fn print_stats(out: &mut impl Write, name: &str, stats: &EndgameStats) -> anyhow::Result<()> {
    for (side, of) in SIDES.iter().zip(&stats.sides) {
        let [positions, wins, draws, losses] =
            [of.positions, of.wins, of.draws, of.losses].map(thousands);
        let longest = of.longest_win.as_ref();
        let longest =
            longest.map_or(String::new(), |win| format!("{:>3}  {}", win.plies, win.position));
        let name = styled(BOLD, &format!("{name:<9}"));
        let line = format!(
            "{name} {side:<9} {positions:>11} {wins:>11} {draws:>11} {losses:>11}  {longest}"
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

fn endgame_json(family: &dyn EndgameFamily, number: usize, stats: EndgameStats) -> EndgameJson {
    let extreme = |extreme: Option<Extreme>| {
        extreme.map(|Extreme { plies, position }| ExtremeJson { plies, position })
    };
    let side = |(side, of): (&'static str, SideStats)| {
        let SideStats { positions, wins, draws, losses, longest_win, longest_loss } = of;
        let (longest_win, longest_loss) = (extreme(longest_win), extreme(longest_loss));
        SideJson { side, positions, wins, draws, losses, longest_win, longest_loss }
    };
    EndgameJson {
        material: family.name(number),
        men: family.men(number),
        bytes: family.entries(number),
        to_move: SIDES.into_iter().zip(stats.sides).map(side).collect(),
    }
}
