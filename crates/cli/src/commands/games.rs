//! `agon games`: what can be played, and how things are written.

use std::io::Write;

use agon_games::{GAMES, GameInfo};
use serde::Serialize;

use super::play::agents::AGENTS;
use crate::args::GamesArgs;
use crate::draw::palette::{BOLD, DIM, HEADING};
use crate::draw::styled;
use crate::output::print_json;

/// Lists the games.
pub(crate) fn run(args: &GamesArgs) -> anyhow::Result<()> {
    if args.json {
        let games = GAMES.iter().map(GameJson::from).collect();
        let agents = AGENTS
            .iter()
            .map(|agent| AgentJson { agent: agent.name, about: agent.about })
            .collect();
        print_json(&ListJson { games, agents })?;
        return Ok(());
    }
    let mut out = anstream::stdout().lock();
    for game in GAMES {
        write_game(&mut out, game)?;
    }
    writeln!(out, "{}", styled(HEADING, "Agents"))?;
    for agent in AGENTS {
        writeln!(out, "  {:<28}{}", agent.name, styled(DIM, agent.about))?;
    }
    Ok(())
}

fn write_game(out: &mut impl Write, game: &GameInfo) -> std::io::Result<()> {
    writeln!(out, "{}  {}", styled(HEADING, game.title), game.summary)?;
    for variant in game.variants {
        writeln!(out, "  {:<28}{}", variant.text, styled(DIM, variant.about))?;
    }
    writeln!(out, "  {}  {}", styled(BOLD, "seats    "), game.seats.join(", "))?;
    writeln!(out, "  {}  {}", styled(BOLD, "positions"), game.position_notation)?;
    writeln!(out, "  {}  {}\n", styled(BOLD, "moves    "), game.move_notation)
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
}

impl From<&GameInfo> for GameJson {
    fn from(game: &GameInfo) -> Self {
        let variant = |variant: &agon_games::VariantInfo| VariantJson {
            variant: variant.text,
            about: variant.about,
        };
        GameJson {
            name: game.name,
            title: game.title,
            summary: game.summary,
            seats: game.seats,
            variants: game.variants.iter().map(variant).collect(),
            notation: NotationJson { position: game.position_notation, mv: game.move_notation },
        }
    }
}
