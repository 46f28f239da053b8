//! Every number of the tables, computed again from the exported games.

use std::collections::BTreeMap;

use super::*;

/// The games of a pairing: by opening, the score of the agent in each game.
#[derive(Default)]
struct Pairing {
    scores: BTreeMap<u64, Vec<f64>>,
    wins: u64,
    draws: u64,
    losses: u64,
    points: f64,
    plies: f64,
    moves: f64,
    seconds: f64,
}

/// The pairings of `games.csv`: the comparison, the agents, the variant and the budget.
fn pairings(folder: &Path) -> BTreeMap<[String; 5], Pairing> {
    let lines = csv(&folder.join("games.csv"));
    let column = |name: &str| lines[0].iter().position(|it| it == name).unwrap();
    let names = ["comparison", "agent", "against", "variant", "budget"].map(column);
    let [opening, seat, all] = ["opening", "seat", "seat_points"].map(column);
    let [plies, moves, seconds] = ["plies", "agent_moves", "agent_seconds"].map(column);
    let mut pairings: BTreeMap<[String; 5], Pairing> = BTreeMap::new();
    for line in &lines[1..] {
        let pairing = pairings.entry(names.map(|name| line[name].clone())).or_default();
        let number = |column: usize| line[column].parse::<f64>().unwrap();
        let points: Vec<f64> = line[all].split(' ').map(|it| it.parse().unwrap()).collect();
        let seat = line[seat].parse::<usize>().unwrap() - 1;
        let mut others = points.clone();
        let mine = others.remove(seat);
        let best = others.iter().copied().fold(0.0, f64::max);
        pairing.wins += u64::from(mine > best);
        pairing.draws += u64::from(mine == best);
        pairing.losses += u64::from(mine < best);
        let beaten = others.iter().filter(|it| mine > **it).count() as f64;
        let equal = others.iter().filter(|it| mine == **it).count() as f64;
        let score = (beaten + equal / 2.0) / others.len() as f64;
        pairing.scores.entry(line[opening].parse().unwrap()).or_default().push(score);
        pairing.points += mine;
        pairing.plies += number(plies);
        pairing.moves += number(moves);
        pairing.seconds += number(seconds);
    }
    pairings
}

/// Elo with its interval, from groups of games, by the rule in `docs/statistics.md`.
fn elo(pairing: &Pairing) -> [f64; 3] {
    let groups: Vec<f64> =
        pairing.scores.values().map(|it| it.iter().sum::<f64>() / it.len() as f64).collect();
    let games = pairing.scores.values().map(Vec::len).sum::<usize>() as f64;
    let mean = pairing.scores.values().flatten().sum::<f64>() / games;
    let count = groups.len() as f64;
    let added = 2.0 * count / games;
    let spread = groups.iter().map(|it| (it - mean).powi(2)).sum::<f64>();
    let spread = spread + added / 2.0 * (mean.powi(2) + (1.0 - mean).powi(2));
    let error = 1.959_963_985 * (spread / (count + added - 1.0) / count).sqrt();
    let least = 0.5 / (games + 1.0);
    [mean, mean - error, mean + error].map(|score| {
        let score = score.clamp(least, 1.0 - least);
        -400.0 * (1.0 / score - 1.0).log10()
    })
}

fn close(found: &str, expected: f64, what: &str) {
    let found: f64 = found.parse().unwrap_or_else(|_| panic!("{what}: {found:?}"));
    assert!(
        (found - expected).abs() < 1e-6 * expected.abs().max(1.0),
        "{what}: {found} {expected}"
    );
}

/// Compares the tables of a report with the games.
pub(super) fn check(folder: &Path) {
    let pairings = pairings(folder);
    let mut rows = 0;
    for number in 1.. {
        let file = folder.join(format!("tables/results-{number}.csv"));
        if !file.exists() {
            break;
        }
        let lines = csv(&file);
        for line in &lines[1..] {
            let value = |name: &str| {
                let column = lines[0].iter().position(|it| it == name);
                column.map(|column| line[column].clone())
            };
            // A column in which all is equal is left out.
            let is_it = |names: &&[String; 5]| {
                let keys = ["agent", "against", "variant", "budget"].into_iter().zip(&names[1..]);
                names[0] == number.to_string()
                    && keys.into_iter().all(|(key, name)| value(key).is_none_or(|it| it == *name))
            };
            let found: Vec<_> = pairings.keys().filter(is_it).collect();
            assert_eq!(found.len(), 1, "{line:?}: {found:?}");
            compare(&pairings[found[0]], &|name| value(name).unwrap(), &format!("{line:?}"));
            rows += 1;
        }
    }
    assert_eq!(rows, pairings.len());
}

/// Compares a row of a table with the games of its pairing.
fn compare(pairing: &Pairing, value: &dyn Fn(&str) -> String, row: &str) {
    let games = (pairing.wins + pairing.draws + pairing.losses) as f64;
    let [elo, low, high] = elo(pairing);
    for (name, expected) in [
        ("games", games),
        ("wins", pairing.wins as f64),
        ("draws", pairing.draws as f64),
        ("losses", pairing.losses as f64),
        ("points", pairing.points / games),
        ("elo", elo),
        ("elo_low", low),
        ("elo_high", high),
        ("plies", pairing.plies / games),
        ("ms_a_move", 1000.0 * pairing.seconds / pairing.moves),
    ] {
        close(&value(name), expected, &format!("{name} of {row}"));
    }
}

#[test]
fn intervals_agree_with_a_match() {
    let lab = Lab::new();
    let file = lab.file("small.toml", SMALL);
    lab.done(&["run", &file]);
    let row = &lab.status(&file)["tables"][0]["rows"][1];
    let arguments = "match breakthrough:5x5 engine greedy --games 20 --nodes 200 --seed 3 --json --openings random:4";
    let played: Value = common::json(&arguments.split(' ').collect::<Vec<_>>());
    let agent = &played["agents"][0];
    assert_eq!((&row["agent"], &agent["agent"]), (&"engine".into(), &"engine".into()));
    for (ours, theirs) in
        [("wins", "wins"), ("draws", "draws"), ("losses", "losses"), ("faults", "faults")]
    {
        assert_eq!(row[ours], agent[theirs], "{row} {agent}");
    }
    let [value, low] = ["elo", "elo_low"].map(|key| row[key].as_f64().unwrap());
    let number = |key: &str| agent[key].as_f64().unwrap();
    assert!((value - number("elo")).abs() < 0.051, "{row} {agent}");
    assert!((value - low - number("error")).abs() < 0.051, "{row} {agent}");
}
