//! Reading a tournament from its file.

use std::fmt;
use std::path::Path;

use agon_core::Variant;
use agon_games::Catalog;

use super::changes::Changed;
use super::entries::{Placed, beside, checked_name, read_entrants};
use super::schedule::Schedule;
use super::{Format, Tournament};
use crate::clock::{GameTime, Pace, TimeControl, read_duration};
use crate::document::{Document, FileError, Section, Value};
use crate::files;
use crate::fixture::{Terms, whole_groups};
use crate::openings::Openings;
use crate::registry::Registry;
use crate::venue;

/// The maximum numbers of terms and of games per meeting in a tournament.
const MOST_TERMS: usize = 1000;
const MOST_GAMES: u64 = 1_000_000;
/// All games are planned at once.
pub(super) const MOST_GAMES_IN_ALL: u64 = 20_000_000;

/// The size limit of the file, in bytes.
const LARGEST_FILE: u64 = 16 << 20;
/// The keys of every file, and of terms.
const KEYS: &[&str] = &[
    "name",
    "format",
    "agents",
    "terms",
    "games",
    "seed",
    "concurrency",
    "oversubscribe",
    "isolation",
    "readable",
    "pondering",
    "reference_speed",
];
const TERMS_KEYS: &[&str] = &["variant", "time", "per_move", "depth", "nodes", "openings"];

/// Reads a tournament. Everything that can be wrong with it is found here, before the first game:
/// names, agents, commands, variants, openings, clocks.
pub fn read(file: &Path, registry: &Registry) -> Result<Tournament, FileError> {
    let text = files::read_text(file, LARGEST_FILE).map_err(|error| {
        FileError::without_place(file, format!("cannot read the tournament: {error}"))
    })?;
    read_text(&text, file, registry)
}

/// Reads a tournament from a text as if it were this file, which need not exist: errors name it, the
/// tournament is called after it unless the text has a name, and paths are relative to its folder.
pub fn read_text(text: &str, file: &Path, registry: &Registry) -> Result<Tournament, FileError> {
    if text.len() as u64 > LARGEST_FILE {
        let problem = format!("more than {LARGEST_FILE} bytes are too many for a tournament");
        return Err(FileError::without_place(file, problem));
    }
    let document = Document { file, text };
    let parsed = document.parse()?;
    let section = Section::new(&document, parsed.get_ref(), 0..0);
    section.has_only(&keys_of(&section))?;
    let tournament = read_tournament(&section, file, registry)?;
    Ok(Tournament { source: Some(text.to_string()), ..tournament })
}

/// Whether a tournament takes its openings from files. A text that cannot be read names none.
pub fn names_files(text: &str) -> bool {
    let document = Document { file: Path::new(""), text };
    let Ok(parsed) = document.parse() else { return false };
    let section = Section::new(&document, parsed.get_ref(), 0..0);
    let is_file = |section: &Section<'_, '_>| {
        let openings = section.get("openings").and_then(|it| it.text("openings").ok());
        openings.is_some_and(|it| matches!(it.parse(), Ok(Openings::File(_))))
    };
    let terms = section.get("terms").map_or(Vec::new(), |terms| terms.list());
    is_file(&section) || terms.iter().any(|it| it.section("terms").is_ok_and(|it| is_file(&it)))
}

/// The keys that a file can have: some belong to a format, and those of the terms are at the top
/// unless they have tables of their own.
fn keys_of(section: &Section<'_, '_>) -> Vec<&'static str> {
    let format = section.get("format").and_then(|format| format.text("a format").ok());
    let of_format: &[&str] = match format {
        Some("round-robin") => &[],
        Some("gauntlet") => &["champions"],
        Some("swiss") => &["rounds"],
        _ => &["champions", "rounds", "settled", "groups"],
    };
    let of_format =
        of_format.iter().filter(|key| format != Some("contest") || **key != "champions");
    let of_terms: &[&str] = if section.get("terms").is_some() { &[] } else { TERMS_KEYS };
    KEYS.iter().chain(of_terms).chain(of_format).copied().collect()
}

/// The agents, isolated and frozen as the file says.
fn isolated(
    section: &Section<'_, '_>,
    file: &Path,
    registry: &Registry,
) -> Result<Registry, FileError> {
    let mut registry = registry.clone();
    if let Some(level) = section.get("isolation") {
        let level = level.read("sandbox, weak or none", str::parse)?;
        registry = registry.with_isolation(level);
    }
    let readable = section.get("readable").map_or_else(Vec::new, |list| list.list());
    let folder = file.parent().unwrap_or(Path::new(""));
    for path in readable {
        let found = folder.join(path.text("a path such as \"../engine\"")?);
        let found = std::path::absolute(&found).ok().filter(|found| found.exists());
        let found = found.ok_or_else(|| path.error("there is no such file or folder"))?;
        registry = registry.with_readable([found]);
    }
    let pondering = section.get("pondering").map_or(Ok(false), |value| value.switch())?;
    Ok(registry.with_pondering(pondering))
}

fn read_tournament(
    section: &Section<'_, '_>,
    file: &Path,
    registry: &Registry,
) -> Result<Tournament, FileError> {
    let format = read_format(section)?;
    let name = match section.get("name") {
        Some(name) => name.read("a name", checked_name)?,
        None => {
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            checked_name(&stem).map_err(|problem| {
                section.error(format!(
                    "name is missing, and the file's name cannot be used: {problem}"
                ))
            })?
        }
    };
    let seed = section.number("seed", "a number", 0..=u64::MAX)?.unwrap_or(0);
    let games = section.number("games", "the games of a meeting", 1..=MOST_GAMES)?.unwrap_or(2);
    let terms = read_terms(section, file, registry.catalog(), seed);
    let registry = &isolated(section, file, registry)?;
    let entrants = read_entrants(section, file, registry);
    let ((terms, seats), entrants) = match (terms, entrants) {
        // Whichever comes first in the file.
        (Err(one), Err(other)) => {
            return Err(if other.line() < one.line() { other } else { one });
        }
        (terms, entrants) => (terms?, entrants?),
    };
    check_agents(section, &terms, &entrants, seed)?;
    let needed = if let Format::Gauntlet { champions } = format {
        seats - 1 + usize::from(champions)
    } else {
        seats
    };
    if entrants.len() < needed {
        let problem =
            format!("{} agents are too few: at least {needed} are needed", entrants.len());
        return Err(section.error_at("agents", &problem));
    }
    let concurrency = section.number("concurrency", "games at a time", 1..=4096)?;
    let speeds = 1_000..=10_000_000_000;
    let reference_speed = section.number("reference_speed", "nodes a second", speeds)?;
    let tournament = Tournament {
        name,
        format,
        entrants: entrants.into_iter().map(|(entrant, _)| entrant).collect(),
        terms: terms.into_iter().map(|(terms, _)| terms).collect(),
        seats,
        games: whole_groups(games, seats),
        seed,
        concurrency: concurrency.map(|n| n as usize),
        oversubscribe: section.get("oversubscribe").map_or(Ok(false), |value| value.switch())?,
        sprt: None,
        replay_disturbed: false,
        reference_speed,
        source: None,
        changed: Changed::Ask,
    };
    let all = Schedule::games(&tournament);
    if all > MOST_GAMES_IN_ALL {
        return Err(section.error_at("games", &too_many_games(all)));
    }
    Ok(tournament)
}

/// Says how many games there may be.
pub(super) fn too_many_games(games: u64) -> String {
    format!("{games} games are too many: at most {MOST_GAMES_IN_ALL} in all")
}

fn read_format(section: &Section<'_, '_>) -> Result<Format, FileError> {
    let format = section.require("format", "format = \"round-robin\"")?;
    let rounds = |default| {
        let rounds = section.number("rounds", "rounds", 1..=10_000);
        rounds.map(|rounds| rounds.map_or(default, |n| n as u32))
    };
    match format.text("a format")? {
        "round-robin" => Ok(Format::RoundRobin),
        "gauntlet" => {
            let champions = section.number("champions", "champions", 1..=1000)?;
            Ok(Format::Gauntlet { champions: champions.unwrap_or(1) as u16 })
        }
        "swiss" => Ok(Format::Swiss { rounds: rounds(7)? }),
        "contest" => {
            let settled = section.get("settled");
            let settled = settled.map_or(Ok(10.0), |n| n.decimal("rating points"))?;
            let groups = section.number("groups", "groups", 1..=100)?.unwrap_or(1);
            Ok(Format::Contest { rounds: rounds(50)?, settled, groups: groups as u16 })
        }
        other => Err(format.error(agon_search::spec::choices(
            &format!("unknown format {other:?}"),
            other,
            &["round-robin", "gauntlet", "swiss", "contest"],
        ))),
    }
}

/// Reads what is played: one or several `[[terms]]`, or the same keys at the top.
fn read_terms<'d, 'a>(
    section: &Section<'d, 'a>,
    file: &Path,
    catalog: &Catalog,
    seed: u64,
) -> Result<(Vec<(Terms, Value<'d, 'a>)>, usize), FileError> {
    let mut all = Vec::new();
    match section.get("terms") {
        Some(list) => {
            for terms in list.list() {
                let inner =
                    terms.section("a table such as { variant = \"congo\", per_move = \"1s\" }")?;
                inner.has_only(TERMS_KEYS)?;
                read_some_terms(&inner, file, catalog, &mut all)?;
            }
        }
        None => read_some_terms(section, file, catalog, &mut all)?,
    }
    let mut seats: Option<usize> = None;
    for (number, (terms, place)) in all.iter().enumerate() {
        let venue = venue::open(terms, seed, number as u16);
        let venue = venue.map_err(|error| place.error(error.to_string()))?;
        let these = venue.seat_names().len();
        if *seats.get_or_insert(these) != these {
            let problem = format!(
                "{} is for {these} players, the one before for {}: all need the same number",
                venue.variant(),
                seats.unwrap_or(0)
            );
            return Err(place.error(problem));
        }
    }
    let seats = seats.ok_or_else(|| section.error("no terms: what is to be played?"))?;
    Ok((all, seats))
}

/// Every variant with every clock.
fn read_some_terms<'d, 'a>(
    section: &Section<'d, 'a>,
    file: &Path,
    catalog: &Catalog,
    all: &mut Vec<(Terms, Value<'d, 'a>)>,
) -> Result<(), FileError> {
    let variants = section.require("variant", "variant = \"breakthrough:8x8\"")?.list();
    let depth = section.number("depth", "a limit", 1..=1000)?.map(|depth| depth as u32);
    let nodes = section.number("nodes", "a limit", 1..=u64::MAX)?;
    let openings = match section.get("openings") {
        Some(openings) => {
            openings.read("openings", |text| text.parse().map(|it| beside(file, it)))?
        }
        None => Openings::Random(4),
    };
    for time in times(section)? {
        for value in &variants {
            let variant: Variant = value.read("a variant", str::parse)?;
            let pace = Pace { time, depth, nodes };
            let (catalog, openings) = (catalog.clone(), openings.clone());
            all.push((Terms { catalog, variant, pace, openings }, value.clone()));
        }
    }
    if all.len() > MOST_TERMS {
        return Err(section.error(format!("more than {MOST_TERMS} variants and clocks")));
    }
    Ok(())
}

/// All combinations of game clocks and times per move; none at all is one as well.
fn times(section: &Section<'_, '_>) -> Result<Vec<TimeControl>, FileError> {
    let games: Vec<Option<GameTime>> =
        one_or_more(section, "time", "a time such as 10s+100ms", str::parse)?;
    let moves = one_or_more(section, "per_move", "a time such as 1s", read_duration)?;
    let all = games
        .iter()
        .flat_map(|&game| moves.iter().map(move |&per_move| TimeControl { game, per_move }));
    Ok(all.collect())
}

/// The values of a key; a single `None` if it is missing.
fn one_or_more<T, E: fmt::Display>(
    section: &Section<'_, '_>,
    key: &'static str,
    what: &str,
    read: fn(&str) -> Result<T, E>,
) -> Result<Vec<Option<T>>, FileError> {
    let Some(values) = section.get(key) else { return Ok(vec![None]) };
    values.list().iter().map(|value| value.read(what, read).map(Some)).collect()
}

/// Checks that every agent can play everything.
fn check_agents(
    section: &Section<'_, '_>,
    terms: &[(Terms, Value<'_, '_>)],
    entrants: &[Placed<'_, '_>],
    seed: u64,
) -> Result<(), FileError> {
    let mut seen: Vec<(&Variant, &Pace)> = Vec::new();
    for (number, (terms, _)) in terms.iter().enumerate() {
        if seen.contains(&(&terms.variant, &terms.pace)) {
            continue;
        }
        seen.push((&terms.variant, &terms.pace));
        let venue = venue::open(terms, seed, number as u16);
        let venue = venue.map_err(|error| section.error(error.to_string()))?;
        for (entrant, place) in entrants {
            let checked = venue.check(&entrant.agent);
            checked.map_err(|error| place.error(error.to_string()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod fuzz;
#[cfg(test)]
mod tests;
