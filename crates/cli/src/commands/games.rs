//! `agon games`: the games, their variants, notations and agents.

use std::io::Write;

use agon_core::TextError;
use agon_games::{Catalog, GameInfo, VariantInfo};
use agon_search::spec::{AgentInfo, OptionInfo};
use serde::Serialize;

use crate::args::{GamesArgs, ProgramArgs};
use crate::data::Data;
use crate::draw::palette::{BOLD, DIM, HEADING};
use crate::draw::styled;
use crate::output::print_json;
use crate::registry::registry;

/// Lists the games.
pub(crate) fn run(args: &GamesArgs, data: &Data) -> anyhow::Result<()> {
    let catalog = data.catalog();
    let registry = registry(&ProgramArgs::default(), data);
    let agents = registry.kinds().iter().map(|(info, _)| info);
    if args.json {
        let games = catalog.games(|game| GameJson::of(catalog, game));
        let games = games.into_iter().collect::<Result<_, _>>()?;
        print_json(&ListJson { games, agents: agents.map(AgentJson::from).collect() })?;
        return Ok(());
    }
    let mut out = anstream::stdout().lock();
    let written = catalog.games(|game| write_game(&mut out, catalog, game));
    written.into_iter().collect::<anyhow::Result<()>>()?;
    writeln!(
        out,
        "{}  NAME[:OPTION=VALUE,…], such as engine:level=3, ugi:./program or python:agent.py",
        styled(HEADING, "Agents")
    )?;
    for agent in agents {
        writeln!(out, "  {:<28}{}", agent.name, styled(DIM, agent.about))?;
        for option in agent.options {
            let text = format!("{}={}", option.name, option.values);
            writeln!(out, "    {text:<26}{}", styled(DIM, option.about))?;
        }
    }
    Ok(())
}

/// The evaluations of a game, the same in all its variants: name and description.
fn evaluations(
    catalog: &Catalog,
    game: &GameInfo<'_>,
) -> Result<Vec<(&'static str, &'static str)>, TextError> {
    Ok(catalog.open(&game.name.parse()?)?.evaluations())
}

fn write_game(out: &mut impl Write, catalog: &Catalog, game: &GameInfo<'_>) -> anyhow::Result<()> {
    writeln!(out, "{}  {}", styled(HEADING, game.title), game.summary)?;
    let width = game.variants.iter().map(|variant| variant.text.len() + 2).max().unwrap_or(0);
    let width = width.max(28);
    for variant in game.variants {
        writeln!(out, "  {:<width$}{}", variant.text, styled(DIM, variant.about))?;
    }
    writeln!(out, "  {}  {}", styled(BOLD, "seats    "), game.seats.join(", "))?;
    writeln!(out, "  {}  {}", styled(BOLD, "positions"), game.position_notation)?;
    writeln!(out, "  {}  {}", styled(BOLD, "moves    "), game.move_notation)?;
    writeln!(out, "  {}", styled(BOLD, "evaluations"))?;
    for (name, about) in evaluations(catalog, game)? {
        writeln!(out, "    {name:<26}{}", styled(DIM, about))?;
    }
    Ok(writeln!(out)?)
}

#[derive(Serialize)]
struct ListJson {
    games: Vec<GameJson>,
    agents: Vec<AgentJson>,
}

#[derive(Serialize)]
struct GameJson {
    name: String,
    title: String,
    summary: String,
    seats: Vec<String>,
    variants: Vec<VariantJson>,
    notation: NotationJson,
    evaluations: Vec<EvaluationJson>,
}

#[derive(Serialize)]
struct EvaluationJson {
    name: &'static str,
    about: &'static str,
}

#[derive(Serialize)]
struct VariantJson {
    variant: String,
    about: String,
}

#[derive(Serialize)]
struct NotationJson {
    position: String,
    #[serde(rename = "move")]
    mv: String,
}

#[derive(Serialize)]
struct AgentJson {
    agent: &'static str,
    about: &'static str,
    options: Vec<OptionJson>,
}

#[derive(Serialize)]
struct OptionJson {
    name: &'static str,
    values: &'static str,
    about: &'static str,
}

impl From<&AgentInfo> for AgentJson {
    fn from(agent: &AgentInfo) -> Self {
        let option = |option: &OptionInfo| OptionJson {
            name: option.name,
            values: option.values,
            about: option.about,
        };
        let options = agent.options.iter().map(option).collect();
        AgentJson { agent: agent.name, about: agent.about, options }
    }
}

impl GameJson {
    fn of(catalog: &Catalog, game: &GameInfo<'_>) -> Result<GameJson, TextError> {
        let variant = |variant: &VariantInfo<'_>| VariantJson {
            variant: variant.text.to_string(),
            about: variant.about.to_string(),
        };
        let evaluation = |(name, about)| EvaluationJson { name, about };
        Ok(GameJson {
            name: game.name.to_string(),
            title: game.title.to_string(),
            summary: game.summary.to_string(),
            seats: game.seats.iter().map(|seat| seat.to_string()).collect(),
            variants: game.variants.iter().map(variant).collect(),
            notation: NotationJson {
                position: game.position_notation.to_string(),
                mv: game.move_notation.to_string(),
            },
            evaluations: evaluations(catalog, game)?.into_iter().map(evaluation).collect(),
        })
    }
}
