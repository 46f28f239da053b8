//! The messages of controllers to players, read and written.

use agon_gdl::kif::{self, Term};

use crate::problem::{LineProblem, quoted};

/// The longest clock that is accepted, in seconds.
const LONGEST_CLOCK: u64 = 24 * 3600;

/// A message from a controller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// Who are you, and are you free?
    Info,
    /// Rules to analyse before a match.
    Preview {
        /// The rules.
        rules: Vec<Term>,
    },
    /// A match begins.
    Start {
        /// The name of the match; case matters.
        id: String,
        /// The player's role.
        role: String,
        /// The rules.
        rules: Vec<Term>,
        /// The time to get ready, in seconds.
        start_clock: u64,
        /// The time for each move, in seconds.
        play_clock: u64,
    },
    /// What is your move?
    Play {
        /// The match.
        id: String,
        /// The previous moves.
        news: News,
    },
    /// The match is over.
    Stop {
        /// The match.
        id: String,
        /// The last moves.
        news: News,
    },
    /// The match is aborted.
    Abort {
        /// The match.
        id: String,
    },
}

/// The moves of the previous step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct News {
    /// How many steps have been played, if the controller counts them.
    pub step: Option<u64>,
    /// The moves.
    pub moves: Moves,
}

/// The moves of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Moves {
    /// Nothing was played yet.
    None,
    /// The moves of all roles, in the order of the rules.
    Joint(Vec<Term>),
    /// The player's own move; the others' moves are not visible to it.
    Own(Term),
}

impl Message {
    /// Reads a message. Keywords are case-insensitive.
    ///
    /// ```
    /// use agon_wire::ggp::message::Message;
    /// let message = Message::read("( ABORT kiosk.breakthrough-17 )").unwrap();
    /// assert_eq!(message, Message::Abort { id: "kiosk.breakthrough-17".into() });
    /// assert!(Message::read("(DANCE m)").unwrap_err().to_string().contains("START"));
    /// ```
    pub fn read(text: &str) -> Result<Message, LineProblem> {
        let term = kif::read_one(text).map_err(|error| LineProblem::new(error.to_string()))?;
        let unknown = || {
            let found = quoted(&term.to_string());
            LineProblem::new(format!(
                "expected INFO, PREVIEW, START, PLAY, STOP or ABORT in parentheses, found {found}"
            ))
        };
        let Some([command, rest @ ..]) = term.list() else { return Err(unknown()) };
        let is = |word: &str| command.is(word);
        match rest {
            [] if is("info") => Ok(Message::Info),
            [rules, _clock] if is("preview") => Ok(Message::Preview { rules: listed(rules)? }),
            [id, role, rules, start_clock, play_clock] if is("start") => Ok(Message::Start {
                id: word(id, "a match id")?,
                role: word(role, "a role")?,
                rules: listed(rules)?,
                start_clock: clock(start_clock)?,
                play_clock: clock(play_clock)?,
            }),
            [id, news @ ..] if is("play") => {
                Ok(Message::Play { id: word(id, "a match id")?, news: News::read(news)? })
            }
            [id, news @ ..] if is("stop") => {
                Ok(Message::Stop { id: word(id, "a match id")?, news: News::read(news)? })
            }
            [id] if is("abort") => Ok(Message::Abort { id: word(id, "a match id")? }),
            _ => Err(unknown()),
        }
    }
}

impl News {
    /// What follows the id: the joint move, or in GDL-II the step, the player's own move and its
    /// percepts.
    fn read(terms: &[Term]) -> Result<News, LineProblem> {
        match terms {
            [moves] if is_nil(moves) => Ok(News { step: None, moves: Moves::None }),
            [moves] => {
                let moves = moves.list().map(<[Term]>::to_vec);
                let moves = moves.ok_or_else(|| expected("the moves in parentheses", terms))?;
                Ok(News { step: None, moves: Moves::Joint(moves) })
            }
            [step, own, seen] => {
                let number = step.word().and_then(|word| word.parse().ok());
                let step = number.ok_or_else(|| expected("the number of the step", terms))?;
                let seen = seen.list().unwrap_or_default();
                let did = |role: &str| {
                    seen.iter().find_map(|term| match term.list() {
                        Some([word, who, mv]) if word.is("did") && who.is(role) => Some(mv.clone()),
                        _ => None,
                    })
                };
                let noop = || Term::Word("noop".into());
                let moves = match (did("white"), did("black")) {
                    (None, None) if is_nil(own) => Moves::None,
                    (None, None) => Moves::Own(own.clone()),
                    (white, black) => {
                        Moves::Joint(vec![white.unwrap_or_else(noop), black.unwrap_or_else(noop)])
                    }
                };
                Ok(News { step: Some(step), moves })
            }
            _ => Err(expected("NIL or the moves in parentheses", terms)),
        }
    }
}

fn expected(what: &str, terms: &[Term]) -> LineProblem {
    let found: Vec<String> = terms.iter().map(Term::to_string).collect();
    LineProblem::new(format!("expected {what}, found {}", quoted(&found.join(" "))))
}

/// `NIL`, or an empty list.
fn is_nil(term: &Term) -> bool {
    term.is("nil") || term.list().is_some_and(<[Term]>::is_empty)
}

fn word(term: &Term, what: &str) -> Result<String, LineProblem> {
    let word = term.word().map(str::to_string);
    word.ok_or_else(|| expected(what, std::slice::from_ref(term)))
}

fn listed(term: &Term) -> Result<Vec<Term>, LineProblem> {
    let list = term.list().map(<[Term]>::to_vec);
    list.ok_or_else(|| expected("the rules in parentheses", std::slice::from_ref(term)))
}

fn clock(term: &Term) -> Result<u64, LineProblem> {
    let seconds = term.word().and_then(|word| word.parse::<u64>().ok());
    let seconds = seconds.filter(|seconds| *seconds <= LONGEST_CLOCK);
    seconds.ok_or_else(|| expected("a clock in whole seconds", std::slice::from_ref(term)))
}

/// The message that starts a match. `rules` are the sentences of the rules, separated by spaces.
pub fn start(id: &str, role: &str, rules: &str, start_clock: u64, play_clock: u64) -> String {
    format!("(START {id} {role} ({rules} ) {start_clock} {play_clock})")
}

/// The message that asks for a move, after this joint move.
pub fn play(id: &str, joint: Option<&[Term]>) -> String {
    format!("(PLAY {id} {})", joint_text(joint))
}

/// The message that ends a match, after this joint move.
pub fn stop(id: &str, joint: Option<&[Term]>) -> String {
    format!("(STOP {id} {})", joint_text(joint))
}

/// The message that aborts a match.
pub fn abort(id: &str) -> String {
    format!("(ABORT {id})")
}

/// The message that asks for a move (`PLAY`) or ends a match (`STOP`), for a player that gets its
/// own move and its percepts, as in GDL-II: what everybody did, or nothing.
pub fn by_sight(
    command: &str,
    (id, step): (&str, usize),
    own: usize,
    joint: Option<&[Term; 2]>,
    sees_all: bool,
) -> String {
    format!("({command} {id} {step} {})", seen_text(own, joint, sees_all))
}

fn seen_text(own: usize, joint: Option<&[Term; 2]>, sees_all: bool) -> String {
    match joint {
        None => "NIL NIL".to_string(),
        Some(moves) => {
            let own = moves.get(own).map(Term::to_string).unwrap_or_default();
            let [white, black] = moves;
            match sees_all {
                true => format!("{own} ((did white {white}) (did black {black}))"),
                false => format!("{own} ()"),
            }
        }
    }
}

fn joint_text(joint: Option<&[Term]>) -> String {
    match joint {
        None => "NIL".to_string(),
        Some(moves) => {
            let moves: Vec<String> = moves.iter().map(Term::to_string).collect();
            format!("({})", moves.join(" "))
        }
    }
}

/// The terms separated by spaces, as rules are sent.
pub fn in_one_line(terms: &[Term]) -> String {
    let texts: Vec<String> = terms.iter().map(Term::to_string).collect();
    texts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joint(text: &str) -> (Option<u64>, Vec<String>) {
        match Message::read(text).unwrap() {
            Message::Play { news: News { step, moves: Moves::Joint(moves) }, .. }
            | Message::Stop { news: News { step, moves: Moves::Joint(moves) }, .. } => {
                (step, moves.iter().map(|term| term.lower().to_string()).collect())
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn moves_are_read_in_all_dialects() {
        let moves = vec!["(move 1 2 1 3)".to_string(), "noop".to_string()];
        for text in [
            "(PLAY testmatch ((MOVE 1 2 1 3) NOOP))",
            "( PLAY id (( move 1 2 1 3 ) noop ) )",
            "(STOP id ((MOVE 1 2 1 3) NOOP))",
        ] {
            assert_eq!(joint(text), (None, moves.clone()), "{text}");
        }
        let second = "(PLAY M.X1 1 (MOVE 1 2 1 3) ((DID WHITE (MOVE 1 2 1 3)) (DID BLACK NOOP) ))";
        assert_eq!(joint(second), (Some(1), moves.clone()));
        // The role counts, not the order; and a role that is not seen did nothing.
        let turned = "(PLAY M.X1 1 NOOP ((DID BLACK NOOP) (DID WHITE (MOVE 1 2 1 3))))";
        assert_eq!(joint(turned), (Some(1), moves));
        let alone = joint("(PLAY M.X1 2 NOOP ((DID BLACK (MOVE 1 4 1 3))))");
        assert_eq!(alone, (Some(2), vec!["noop".to_string(), "(move 1 4 1 3)".to_string()]));
    }

    #[test]
    fn a_match_begins_with_nothing_played() {
        for text in ["(PLAY m NIL)", "( PLAY m nil )", "(PLAY m ())", "(PLAY m 0 NIL NIL)"] {
            let Message::Play { id, news } = Message::read(text).unwrap() else { panic!("{text}") };
            assert_eq!((id.as_str(), news.moves), ("m", Moves::None), "{text}");
        }
        let hidden = Message::read("(PLAY m 1 (MOVE 1 2 1 3) ())").unwrap();
        let Message::Play { news, .. } = hidden else { panic!() };
        assert!(matches!(news.moves, Moves::Own(_)), "{news:?}");
    }

    #[test]
    fn our_own_messages_are_read() {
        let rules = kif::read("(role white) (role black)").unwrap();
        let text = start("Match.X1", "white", &in_one_line(&rules), 10, 5);
        assert_eq!(text, "(START Match.X1 white ((role white) (role black) ) 10 5)");
        let Message::Start { id, role, rules: read, start_clock, play_clock } =
            Message::read(&text).unwrap()
        else {
            panic!("{text}")
        };
        assert_eq!((id.as_str(), role.as_str()), ("Match.X1", "white"));
        assert_eq!((read, start_clock, play_clock), (rules, 10, 5));
        let moves = kif::read("(move 1 2 1 3) noop").unwrap();
        let both = [moves[0].clone(), moves[1].clone()];
        for sees_all in [true, false] {
            let text = by_sight("PLAY", ("m", 1), 1, Some(&both), sees_all);
            let Message::Play { news, .. } = Message::read(&text).unwrap() else {
                panic!("{text}")
            };
            assert_eq!(news.step, Some(1));
            let told =
                if sees_all { Moves::Joint(moves.clone()) } else { Moves::Own(both[1].clone()) };
            assert_eq!(news.moves, told);
        }
        assert_eq!(play("m", None), "(PLAY m NIL)");
        assert_eq!(stop("m", Some(&moves)), "(STOP m ((move 1 2 1 3) noop))");
        assert_eq!(Message::read(&abort("m")), Ok(Message::Abort { id: "m".into() }));
    }

    #[test]
    fn keywords_are_read_in_any_case() {
        assert_eq!(Message::read("(INFO)"), Message::read("( info )"));
        assert_eq!(Message::read("(INFO)"), Ok(Message::Info));
        let rules = kif::read("(role white)").unwrap();
        assert_eq!(Message::read("(Preview ((role white)) 10)"), Ok(Message::Preview { rules }));
        let day = Message::read("(START m white () 1 86400)").unwrap();
        assert!(matches!(day, Message::Start { play_clock: 86_400, .. }), "{day:?}");
    }

    #[test]
    fn broken_messages_are_told_what_is_expected() {
        for (text, words) in [
            ("", ""),
            ("hello", "START"),
            ("()", "START"),
            ("(DANCE)", "START"),
            ("(DANCE m)", "START"),
            ("(DANCE m white () 10 5)", "START"),
            ("(START m white (rules) 10)", "START"),
            ("(START m white rules 10 5)", "rules in parentheses"),
            ("(START m white () ten 5)", "whole seconds"),
            ("(START m white () 1 86401)", "whole seconds"),
            ("(START (m) white () 1 1)", "a match id"),
            ("(PLAY)", "START"),
            ("(PLAY m)", "NIL"),
            ("(PLAY m moves)", "moves in parentheses"),
            ("(PLAY m one NIL NIL)", "number of the step"),
            ("(PLAY m (noop", ""),
        ] {
            let problem = Message::read(text).unwrap_err().to_string();
            assert!(problem.contains(words), "{text:?}: {problem}");
        }
    }
}
