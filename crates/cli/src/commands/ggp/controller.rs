//! `agon ggp match`: a controller for one match, with the command line of the course's own.

use std::io::{ErrorKind, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use agon_arena::files::{read_text, shown};
use agon_core::{Rng, printable};
use agon_gdl::breakthrough::recognise;
use agon_gdl::kif;
use agon_wire::ggp::referee::{Address, Contest, ContestNews, Contestant, conduct};
use anyhow::bail;

use crate::args::GgpMatchArgs;
use crate::draw::palette::{DIM, ERROR};
use crate::draw::styled;
use crate::failure::bad_input;
use crate::interrupt::stop_flag;

/// The maximum size of a rules file.
const LARGEST: u64 = 1 << 20;

/// The expected arguments.
const ORDER: &str = "expected MATCHID GAMEFILE STARTCLOCK PLAYCLOCK GDLVERSION and for both roles \
                     -remote ROLE NAME HOST PORT GDLVERSION, -random ROLE [SEED] or -legal ROLE";

/// Plays the match and prints its result.
pub(super) fn run(args: &GgpMatchArgs) -> anyhow::Result<()> {
    let Plan { id, file, start_clock, play_clock, version, contestants } =
        Plan::read(&args.words).map_err(bad_input)?;
    let text = read_rules(Path::new(&file))?;
    let rules = kif::read(&text).map_err(|error| bad_input(format!("{file}: {error}")))?;
    let reading = recognise(&rules).map_err(|unknown| bad_input(format!("{file}: {unknown}")))?;
    if let Some(doubt) = &reading.doubt {
        anstream::eprintln!("note: {file}: {doubt}");
    }
    let sees_all = version == 1;
    let names: Vec<&str> = contestants.iter().map(Contestant::name).collect();
    let header = format!(
        "match {id}: {}, white {}, black {}, start clock {start_clock} s, play clock {play_clock} s",
        reading.variant, names[0], names[1]
    );
    let mut out = anstream::stdout();
    writeln!(out, "{header}")?;
    writeln!(out, "{}", styled(DIM, "waiting for the players to get ready"))?;
    let mut contest =
        Contest { id, rules, reading, start_clock, play_clock, sees_all, contestants };
    let flag = stop_flag();
    let session = conduct(&mut contest, &flag, &mut tell)?;
    let Some(session) = session else { bail!("stopped before the end; the players were notified") };
    let Some(verdict) = session.verdict() else { return Ok(()) };
    writeln!(out, "{}", styled(DIM, &verdict.reason))?;
    let points: Vec<String> =
        verdict.outcome.points().as_slice().iter().map(u8::to_string).collect();
    Ok(writeln!(out, "Game over! results: {}", points.join(" "))?)
}

fn tell(news: &ContestNews<'_>) {
    match news {
        ContestNews::Step { number, joint, .. } => {
            let joint: Vec<String> = joint.iter().map(ToString::to_string).collect();
            let _ = writeln!(anstream::stdout(), "step {number}: {}", joint.join(" "));
        }
        ContestNews::Fault { name, text } => {
            let (name, text) = (printable(name), printable(text));
            anstream::eprintln!("{} {name}: {text}", styled(ERROR, "fault"));
        }
    }
}

fn read_rules(file: &Path) -> anyhow::Result<String> {
    let shown = shown(file);
    read_text(file, LARGEST).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => {
            bad_input(format!("{shown} is larger than any rules of Breakthrough"))
        }
        ErrorKind::InvalidData => bad_input(format!("{shown} is not a text file")),
        _ => bad_input(format!("cannot read {shown}: {error}")),
    })
}

/// The arguments of the command line.
#[derive(Debug)]
struct Plan {
    id: String,
    file: String,
    start_clock: u64,
    play_clock: u64,
    version: u8,
    contestants: [Contestant; 2],
}

impl Plan {
    fn read(words: &[String]) -> Result<Plan, String> {
        let mut words = Words { rest: words };
        let id = words.take("MATCHID")?;
        if id.is_empty()
            || id.starts_with('-')
            || !id.chars().all(|c| c.is_ascii_graphic() && !"();".contains(c))
        {
            return Err(format!("{id:?} cannot be the name of a match; {ORDER}"));
        }
        let file = words.take("GAMEFILE")?;
        let start_clock = words.number("STARTCLOCK", 1, 86_400)?;
        let play_clock = words.number("PLAYCLOCK", 1, 86_400)?;
        let version = words.number("GDLVERSION", 1, 2)? as u8;
        let mut roles: [Option<Contestant>; 2] = [None, None];
        while let Some(option) = words.next() {
            match option.as_str() {
                "-printxml" => {
                    words.take("DIR")?;
                    words.take("XSLT")?;
                    anstream::eprintln!("note: -printxml: no XML is written here");
                    continue;
                }
                "-sightfile" => {
                    words.take("FILE")?;
                    anstream::eprintln!("note: -sightfile: every player sees all moves here");
                    continue;
                }
                "-scramble" => {
                    return Err(
                        "-scramble is not supported, as Breakthrough cannot be recognised in \
                                scrambled rules; leave it out"
                            .into(),
                    );
                }
                "-remote" | "-random" | "-legal" => {}
                _ => return Err(format!("unknown argument {option:?}; {ORDER}")),
            }
            let role = words.number("ROLE", 1, 2)? as usize - 1;
            let contestant = words.contestant(option)?;
            if roles[role].replace(contestant).is_some() {
                return Err(format!("role {} is given twice; {ORDER}", role + 1));
            }
        }
        match roles {
            [Some(white), Some(black)] => {
                if let (
                    Contestant::Remote { address: first, .. },
                    Contestant::Remote { address: second, .. },
                ) = (&white, &black)
                    && first == second
                {
                    return Err(format!("one player, {first}, cannot have both roles"));
                }
                let contestants = [white, black];
                Ok(Plan { id, file, start_clock, play_clock, version, contestants })
            }
            [None, _] => Err(format!("nobody has role 1, white; {ORDER}")),
            _ => Err(format!("nobody has role 2, black; {ORDER}")),
        }
    }
}

/// The remaining arguments.
struct Words<'a> {
    rest: &'a [String],
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<&'a String> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn take(&mut self, what: &str) -> Result<String, String> {
        self.next().cloned().ok_or_else(|| format!("{what} is missing; {ORDER}"))
    }

    fn number(&mut self, what: &str, least: u64, most: u64) -> Result<u64, String> {
        let word = self.take(what)?;
        let number = word.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| {
            format!(
                "{what}: expected a whole number from {least} to {most}, found {word:?}; {ORDER}"
            )
        })
    }

    fn contestant(&mut self, option: &str) -> Result<Contestant, String> {
        match option {
            "-legal" => Ok(Contestant::Legal),
            "-random" => {
                let seed = self.rest.first().and_then(|word| word.parse().ok());
                if seed.is_some() {
                    self.next();
                }
                Ok(Contestant::Random(Rng::new(seed.unwrap_or_else(any_seed))))
            }
            _ => {
                let name = self.take("NAME")?;
                let (host, port) = (self.take("HOST")?, self.take("PORT")?);
                let bare = host.contains(':') && !host.starts_with('[');
                let address = match bare {
                    true => Address::read(&format!("[{host}]:{port}")),
                    false => Address::read(&format!("{host}:{port}")),
                };
                let address = address.ok_or_else(|| {
                    format!("{host}:{port} is not an address, such as localhost 4001; {ORDER}")
                })?;
                let by_sight = self.number("GDLVERSION", 1, 2)? == 2;
                Ok(Contestant::Remote { name, address, by_sight })
            }
        }
    }
}

/// A new seed for every match.
fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    now.as_nanos() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(words: &str) -> Result<Plan, String> {
        Plan::read(&words.split_whitespace().map(str::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn the_words_of_the_course_are_understood() {
        let plan =
            plan("testmatch breakthrough_5x5.gdl 10 5 1 -remote 1 Name localhost 4001 1 -random 2");
        let plan = plan.unwrap();
        assert_eq!((plan.id.as_str(), plan.start_clock, plan.play_clock), ("testmatch", 10, 5));
        assert!(
            matches!(&plan.contestants[0], Contestant::Remote { name, by_sight: false, .. } if name == "Name")
        );
        assert!(matches!(plan.contestants[1], Contestant::Random(_)));
        let other = self::plan("m f 1 1 2 -printxml d x -legal 2 -random 1 17").unwrap();
        assert!(matches!(other.contestants, [Contestant::Random(_), Contestant::Legal]));
    }

    #[test]
    fn what_is_missing_or_wrong_is_named() {
        for (words, expected) in [
            ("", "MATCHID is missing"),
            ("-random 1", "name of a match"),
            ("m f 10", "PLAYCLOCK is missing"),
            ("m f 1.5 1 1", "STARTCLOCK: expected a whole number"),
            ("m f 1 1 3", "GDLVERSION"),
            ("m f 1 1 1", "nobody has role 1"),
            ("m f 1 1 1 -random 1", "nobody has role 2"),
            ("m f 1 1 1 -random 1 -legal 1", "given twice"),
            ("m f 1 1 1 -random 3", "ROLE"),
            ("m f 1 1 1 -remote 1 A localhost x 1", "not an address"),
            ("m f 1 1 1 -remote 1 A localhost 1", "GDLVERSION is missing"),
            ("m f 1 1 1 -remote 1 A h 1 1 -remote 2 B h 1 1", "both roles"),
            ("m f 1 1 1 random 1", "unknown argument \"random\""),
            ("(m) f 1 1 1 -random 1 -random 2", "name of a match"),
        ] {
            let problem = plan(words).unwrap_err();
            assert!(problem.contains(expected) && problem.len() < 400, "{words}: {problem}");
        }
    }
}
