//! `agon games`: the games, their variants, notations and agents.

use std::io::Write;

use agon_core::TextError;
use agon_games::{GAMES, GameInfo, open};
use agon_search::spec::{AgentInfo, OptionInfo};
use serde::Serialize;

use crate::args::{GamesArgs, PythonArgs};
use crate::draw::palette::{BOLD, DIM, HEADING};
use crate::draw::styled;
use crate::output::print_json;
use crate::registry::registry;

/// Lists the games.
pub(crate) fn run(args: &GamesArgs) -> anyhow::Result<()> {
    let registry = registry(&PythonArgs::default());
    let agents = registry.kinds().iter().map(|(info, _)| info);
    if args.json {
        let games = GAMES.iter().map(GameJson::of).collect::<Result<_, _>>()?;
        print_json(&ListJson { games, agents: agents.map(AgentJson::from).collect() })?;
        return Ok(());
    }
    let mut out = anstream::stdout().lock();
    for game in GAMES {
        write_game(&mut out, game)?;
    }
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
fn evaluations(game: &GameInfo) -> Result<Vec<(&'static str, &'static str)>, TextError> {
    Ok(open(&game.name.parse()?)?.evaluations())
}

fn write_game(out: &mut impl Write, game: &GameInfo) -> anyhow::Result<()> {
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
    for (name, about) in evaluations(game)? {
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
    name: &'static str,
    title: &'static str,
    summary: &'static str,
    seats: &'static [&'static str],
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
    variant: &'static str,
    about: &'static str,
}

#[derive(Serialize)]
struct NotationJson {
    position: &'static str,
    #[serde(rename = "move")]
    mv: &'static str,
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
    fn of(game: &GameInfo) -> Result<GameJson, TextError> {
        let variant = |variant: &agon_games::VariantInfo| VariantJson {
            variant: variant.text,
            about: variant.about,
        };
        let evaluation = |(name, about)| EvaluationJson { name, about };
        Ok(GameJson {
            name: game.name,
            title: game.title,
            summary: game.summary,
            seats: game.seats,
            variants: game.variants.iter().map(variant).collect(),
            notation: NotationJson { position: game.position_notation, mv: game.move_notation },
            evaluations: evaluations(game)?.into_iter().map(evaluation).collect(),
        })
    }
}
