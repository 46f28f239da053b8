//! Protocols: how Agon and other programs ask each other for moves, in text.
//!
//! [`ugi`] is the Universal Game Interface, for all games; [`congo`] is the protocol of the Congo
//! course's tournaments. Both serve a game on a [`Table`](agon_games::Table) to whoever writes
//! lines and reads the answers. [`ggp`] is general game playing over HTTP, for Breakthrough;
//! [`aisysproj`] is the FAUhalma course's server; [`python`] makes agents of Python files.
//! [`process`] starts external programs, limits and monitors them. All input is checked: an invalid
//! line is answered with a [`LineProblem`], and has no other effect.

#[cfg(not(unix))]
compile_error!(
    "Agon runs on Linux and, as far as it compiles, on macOS; on Windows build it in WSL"
);

pub mod aisysproj;
pub mod congo;
pub mod ggp;
pub mod input;
mod link;
mod moves;
pub mod nats;
pub mod problem;
pub mod process;
pub mod python;
pub mod ugi;

pub use problem::LineProblem;

use agon_arena::Registry;

/// All agents: the built-in ones and those of the protocols. Agents in Python are run by this
/// interpreter, if one is given.
pub fn registry(python: Option<&str>) -> Registry {
    Registry::built_in()
        .with(ugi::UgiAgents)
        .with(ugi::UgiClockAgents)
        .with(congo::CongoAgents)
        .with(ggp::referee::GgpAgents)
        .with(python::PythonAgents::new(python))
}

#[cfg(test)]
#[path = "../../core/tests/noise/mod.rs"]
mod noise;
