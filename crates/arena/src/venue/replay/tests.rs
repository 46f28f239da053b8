use agon_games::{Catalog, GAMES};
use agon_search::{Score, StopFlag};

use super::*;
use crate::agent::Agent;
use crate::fixture::Terms;
use crate::guests::Guests;
use crate::noise::{Texts, soak};
use crate::openings::Openings;
use crate::venue;

fn venue(variant: &str, pace: &str, openings: Openings) -> Box<dyn Venue> {
    let (variant, pace) = (variant.parse().unwrap(), pace.parse().unwrap());
    let terms = Terms { catalog: Catalog::built_in(), variant, pace, openings };
    venue::open(&terms, 7, 0).unwrap()
}

fn fixture(venue: &dyn Venue) -> Fixture {
    let agents: Vec<u16> = (0..venue.seat_names().len() as u16).rev().collect();
    let alone = Fixture::alone(5, PerSeat::from_slice(&agents));
    Fixture { round: 2, pairing: 3, leg: 1, group: 2, ..alone }
}

/// A game that these agents really play.
fn play(venue: &dyn Venue, agents: &[&str]) -> FinishedGame {
    let agents: Vec<Agent> =
        agents.iter().map(|agent| Agent::built_in(agent.parse().unwrap())).collect();
    let (mut guests, stop) = (Guests::new(&agents), StopFlag::default());
    venue.play(&fixture(venue), &mut guests, true, None, &stop).unwrap().unwrap()
}

fn replay(venue: &dyn Venue, claimed: &StoredGame) -> Result<FinishedGame, String> {
    venue.replay(&fixture(venue), claimed)
}

#[test]
fn games_that_were_played_are_confirmed() {
    let defaults = GAMES.iter().map(|game| game.variants[0].text.to_string());
    let variants = defaults.chain(["fauhalma:star3".into(), "breakthrough:5x5".into()]);
    for variant in variants {
        for (agent, pace) in [("random", "no limit"), ("engine:level=1", "1h a game, depth 2")] {
            let venue = venue(&variant, pace, Openings::Random(3));
            let agents = vec![agent; venue.seat_names().len()];
            let game = play(&*venue, &agents);
            let again = replay(&*venue, game.stored.as_ref().unwrap());
            assert_eq!(again, Ok(game), "{variant} {agent}");
        }
    }
}

/// A game of two from the start of its variant, cut off before its end, with the one to move in it.
fn cut_off(venue: &dyn Venue) -> (StoredGame, Seat) {
    let mut game = *play(venue, &["random", "random"]).stored.unwrap();
    let next = game.movers[6];
    let moves: Vec<&str> = game.played_moves().take(6).collect();
    game.moves = moves.join(" ");
    game.movers.truncate(6);
    for times in [&mut game.times, &mut game.latencies] {
        times.truncate(6);
    }
    game.nodes.truncate(6);
    game.depths.truncate(6);
    game.scores.truncate(6);
    let moves: Vec<&str> = game.played_moves().collect();
    let table = Catalog::built_in().open_at(&game.variant.parse().unwrap(), None, &moves);
    game.signature = table.unwrap().signature();
    (game, next)
}

/// The game with this verdict.
fn ended(game: &StoredGame, verdict: &Verdict) -> StoredGame {
    StoredGame {
        points: verdict.outcome.points(),
        reason: verdict.reason.to_string(),
        end: end_code(verdict.end),
        offender: offender(verdict.end),
        evidence: verdict.evidence.clone(),
        ..game.clone()
    }
}

#[test]
fn only_who_was_to_move_can_resign_or_fail() {
    let venue = venue("breakthrough:6x6", "10s a game", Openings::Start);
    let (game, next) = cut_off(&*venue);
    let last = next.next(2);
    let fault = |seat, fault| Verdict::fault(2, seat, fault, "it said nothing".into());
    let good = [
        Verdict::resignation(2, next),
        fault(next, Fault::Crash),
        fault(next, Fault::IllegalMove),
        fault(next, Fault::Stalled),
        fault(last, Fault::ClockOver),
    ];
    for verdict in good {
        let claimed = ended(&game, &verdict);
        let confirmed = replay(&*venue, &claimed).unwrap();
        assert_eq!(confirmed.stored.as_deref(), Some(&claimed), "{verdict}");
        assert_eq!(confirmed.summary, crate::GameSummary::of(&claimed), "{verdict}");
    }
    let bad = [
        Verdict::resignation(2, last),
        Verdict::agreed(2),
        Verdict::too_long(2),
        Verdict::withdrawn(2, &[next]),
        fault(next, Fault::Withdrawn),
        fault(last, Fault::Crash),
        fault(next, Fault::ClockOver),
        fault(last, Fault::MoveTooSlow),
    ];
    for verdict in bad {
        assert!(replay(&*venue, &ended(&game, &verdict)).is_err(), "{verdict}");
    }
    let clockless = self::venue("breakthrough:6x6", "100ms a move", Openings::Start);
    let game = StoredGame { pace: "100ms a move".into(), ..game };
    let late = |fault| ended(&game, &Verdict::fault(2, last, fault, "late".into()));
    assert!(replay(&*clockless, &late(Fault::MoveTooSlow)).is_ok());
    assert!(replay(&*clockless, &late(Fault::ClockOver)).is_err());
}

type Damage = (&'static str, fn(&mut StoredGame));

/// One for every field, and some for the ways in which lists can be wrong.
const DAMAGES: &[Damage] = &[
    ("number", |game| game.number += 1),
    ("round", |game| game.round += 1),
    ("pairing", |game| game.pairing = 0),
    ("leg", |game| game.leg = u32::MAX),
    ("variant", |game| game.variant = "breakthrough:5x5".into()),
    ("variant in other words", |game| game.variant.push(' ')),
    ("pace", |game| game.pace = "no limit".into()),
    ("seats", |game| game.seats = PerSeat::from_slice(&[0, 1])),
    ("a third seat", |game| game.seats = PerSeat::from_slice(&[1, 0, 2])),
    ("start", |game| game.start = Some(String::new())),
    ("opening", |game| game.opening = String::new()),
    ("one move less", |game| game.moves = game.moves.rsplit_once(' ').unwrap().0.into()),
    ("one move more", |game| game.moves.push_str(" a2a3")),
    ("spaces", |game| game.moves = game.moves.replacen(' ', "  ", 1)),
    ("capitals", |game| game.moves = game.moves.to_uppercase()),
    ("an illegal move", |game| game.moves.replace_range(..4, "a1a1")),
    ("no moves", |game| game.moves.clear()),
    ("movers", |game| game.movers.reverse()),
    ("a mover who is not there", |game| game.movers[0] = Seat::THIRD),
    ("fewer movers", |game| game.movers.truncate(1)),
    ("fewer times", |game| game.times.truncate(1)),
    ("a long time", |game| game.times[0] = Duration::MAX),
    ("fewer nodes", |game| game.nodes.truncate(1)),
    ("fewer latencies", |game| game.latencies.truncate(1)),
    ("a long latency", |game| game.latencies[0] = Duration::MAX),
    ("a depth more", |game| game.depths.push(1)),
    ("a score more", |game| game.scores.push(Some(Score::DRAW))),
    ("points", |game| game.points = PerSeat::from_slice(&[50, 50])),
    ("points for three", |game| game.points = PerSeat::from_slice(&[50, 50, 50])),
    ("too many points", |game| game.points = PerSeat::from_slice(&[255, 0])),
    ("reason", |game| game.reason = "luck".into()),
    ("another end", |game| game.end = "history".into()),
    ("an unknown end", |game| game.end = "unheard-of".into()),
    ("a fault after the end", |game| {
        let offender = *game.movers.last().unwrap();
        *game = ended(game, &Verdict::fault(2, offender, Fault::Crash, String::new()));
    }),
    ("offender", |game| game.offender = Some(Seat::FIRST)),
    ("evidence", |game| game.evidence = Some("of nothing".into())),
    ("much evidence", |game| game.evidence = Some("x".repeat(LARGEST_EVIDENCE + 1))),
    ("signature", |game| game.signature ^= 1),
    ("rated", |game| game.rated = false),
    ("much on resources", |game| game.resources = Some("x".repeat(LARGEST_RESOURCES + 1))),
];

#[test]
fn every_damage_is_noticed() {
    let venue = venue("breakthrough:6x6", "10s a game", Openings::Random(2));
    let game = *play(&*venue, &["random", "random"]).stored.unwrap();
    assert!(replay(&*venue, &game).is_ok());
    for (what, damage) in DAMAGES {
        let mut damaged = game.clone();
        damage(&mut damaged);
        assert_ne!(damaged, game, "{what}");
        let refused = replay(&*venue, &damaged);
        assert!(refused.is_err(), "{what}");
    }
}

#[test]
fn what_only_the_players_know_is_believed_and_added_without_overflow() {
    let venue = venue("breakthrough:6x6", "10s a game", Openings::Random(2));
    let mut game = *play(&*venue, &["random", "random"]).stored.unwrap();
    game.times.fill(LONGEST);
    game.nodes.fill(u64::MAX);
    game.depths.fill(u32::MAX);
    game.scores.fill(Some(Score::win_in(3)));
    game.resources = Some("seat 1: book 1a2b3c4d".into());
    game.disturbed = true;
    let confirmed = replay(&*venue, &game).unwrap();
    assert_eq!(confirmed.stored.as_deref(), Some(&game));
    assert_eq!(confirmed.summary.effort, game.effort());
    assert_eq!(confirmed.summary.effort[Seat::FIRST].nodes, u64::MAX);
}

#[test]
fn nobody_finishes_in_the_future_or_long_ago() {
    let now = 1_700_000_000_000;
    assert_eq!(credible(now - 5, now), now - 5);
    assert_eq!(credible(now - OLDEST, now), now - OLDEST);
    for claimed in [now + 1, now - OLDEST - 1, i64::MIN, i64::MAX, 0] {
        assert_eq!(credible(claimed, now), now);
    }
}

#[test]
fn garbage_is_refused_without_a_panic() {
    for variant in ["breakthrough:6x6", "fauhalma:star3", "congo", "wumpus:6"] {
        let venue = venue(variant, "no limit", Openings::Start);
        let agents = vec!["random"; venue.seat_names().len()];
        let game = *play(&*venue, &agents).stored.unwrap();
        let mut texts = Texts::new(vec![game.moves.clone()], &["resign", "pass"], 1);
        for _ in 0..200 * soak() {
            let moves = texts.damaged();
            let count = moves.split_whitespace().count();
            let mut claimed = StoredGame { moves, ..game.clone() };
            // Lists that fit, so that the moves are looked at.
            claimed.movers = (0..count).map(|at| Seat::new(at % agents.len())).collect();
            claimed.times.resize(count, Duration::ZERO);
            claimed.latencies.resize(count, Duration::ZERO);
            claimed.nodes.resize(count, 0);
            claimed.depths.resize(count, 0);
            claimed.scores.resize(count, None);
            if let Ok(confirmed) = replay(&*venue, &claimed) {
                let confirmed = confirmed.stored.unwrap();
                assert_eq!(
                    (confirmed.moves, confirmed.signature),
                    (game.moves.clone(), game.signature)
                );
            }
        }
    }
}
