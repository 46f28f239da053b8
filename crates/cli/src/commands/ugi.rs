//! `agon ugi`: Agon as an engine for other programs.

use std::io::{self, ErrorKind, Stdout, Write};

use agon_core::Variant;
use agon_wire::ugi::{Settings, UgiEngine};

use crate::args::UgiArgs;
use crate::data::Data;
use crate::failure::bad_input;

/// Runs the engine until standard input ends.
pub(crate) fn run(args: &UgiArgs, data: &Data) -> anyhow::Result<()> {
    let variant: Variant = args.variant.parse()?;
    // Opened here as well, because this error shows the position of the mistake.
    data.catalog().open(&variant)?;
    let mut settings = Settings::new(variant, args.agent.parse()?);
    settings.catalog = data.catalog().clone();
    settings.seed = args.seed;
    let numbers = [
        ("Threads", args.threads),
        ("Hash", args.hash),
        ("Level", args.level),
        ("MultiPV", args.lines),
    ];
    for (name, number) in numbers {
        let Some(number) = number else { continue };
        let set = settings.set(name, &number.to_string());
        set.map_err(|problem| bad_input(problem.to_string()))?;
    }
    let session = UgiEngine::new(settings);
    let session = session.map_err(|problem| bad_input(problem.to_string()))?;
    session.run(io::stdin().lock(), ExitingOutput(io::stdout()))?;
    Ok(())
}

/// Standard output that exits the program when it is closed. The input thread cannot do that, as it
/// may be waiting for a line that never comes.
struct ExitingOutput(Stdout);

impl ExitingOutput {
    fn exit_if_closed<T>(result: io::Result<T>) -> io::Result<T> {
        if result.as_ref().is_err_and(|error| error.kind() == ErrorKind::BrokenPipe) {
            std::process::exit(0);
        }
        result
    }
}

impl Write for ExitingOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Self::exit_if_closed(self.0.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Self::exit_if_closed(self.0.flush())
    }
}
