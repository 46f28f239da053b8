//! Games, files and fits, end to end.

use super::*;

const VARIANTS: [&str; 2] = ["fauhalma:star2", "fauhalma:rhombus2"];

fn subject(variants: &[&str]) -> Result<Subject, TuneError> {
    let variants: Vec<Variant> = variants.iter().map(|text| text.parse().unwrap()).collect();
    Subject::of(&agon_games::Catalog::built_in(), &variants)
}

fn plan(agent: &str, threads: usize) -> Plan {
    let agent = agent.parse().unwrap();
    Plan { agent, nodes: Some(300), games: 12, random_plies: 3..=8, seed: 5, threads }
}

fn played(plan: &Plan) -> Material {
    let subject = subject(&VARIANTS).unwrap();
    let mut heard = 0;
    let mut watch = |tallies: &Tallies| {
        heard += 1;
        assert_eq!(tallies.games, heard);
    };
    let material = play(&subject, plan, true, &StopFlag::default(), &mut watch).unwrap();
    assert_eq!(heard, 24);
    material
}

#[test]
fn threads_make_no_difference() {
    let one = played(&plan("alphabeta:eval=tuned", 1));
    let three = played(&plan("alphabeta:eval=tuned", 3));
    assert_eq!(one, three);
    let Tallies { games, wins, draws, losses, plies } = one.tallies;
    assert_eq!((games, wins + draws + losses), (24, 24));
    assert!(one.samples.len() as u64 > plies / 3 && (one.samples.len() as u64) < 2 * plies);
    let subject = subject(&VARIANTS).unwrap();
    let fitted = |material: &Material| {
        fit(&subject, &material.samples, &Options::default(), &StopFlag::default()).unwrap()
    };
    assert_eq!(fitted(&one), fitted(&three));
    assert!(fitted(&one).loss.after <= fitted(&one).loss.before);
    let mut other = plan("alphabeta:eval=tuned", 1);
    other.seed = 6;
    assert_ne!(played(&other).samples, one.samples);
}

#[test]
fn written_positions_are_learned_from_as_if_played() {
    let played = played(&plan("greedy:eval=tuned", 2));
    let text = played.text.as_deref().unwrap();
    let both = subject(&VARIANTS).unwrap();
    let read = positions::read(&both, text).unwrap();
    assert_eq!(read.samples, played.samples);
    let rhombus = positions::read(&subject(&VARIANTS[1..]).unwrap(), text).unwrap();
    assert!(rhombus.samples.len() < read.samples.len() && !rhombus.samples.is_empty());
    for broken in ["", "fauhalma:star2\t0\t2\t-\tx", "fauhalma:star2\t0\t1\t-\tnonsense", "words"] {
        let result = positions::read(&both, &format!("{text}{broken}"));
        assert_eq!(result.is_ok(), broken.is_empty(), "{broken}");
    }
}

#[test]
fn what_cannot_be_tuned_is_told() {
    let told = |variants: &[&str]| subject(variants).unwrap_err().to_string();
    assert!(told(&["fauhalma:star3"]).contains("nothing to tune"));
    assert!(told(&["fauhalma:star2", "fauhalma:star3"]).contains("nothing to tune"));
    assert!(told(&["fauhalma:star9"]).contains("star9"));
    let nothing = fit(
        &subject(&VARIANTS).unwrap(),
        &Samples::default(),
        &Options::default(),
        &StopFlag::default(),
    );
    assert_eq!(nothing, Err(TuneError::NoPositions));
}

#[test]
fn stopped_games_give_nothing() {
    let stop = StopFlag::default();
    let mut after_three = |tallies: &Tallies| {
        if tallies.games == 3 {
            stop.stop();
        }
    };
    let subject = subject(&VARIANTS).unwrap();
    let result = play(&subject, &plan("random", 2), false, &stop, &mut after_three);
    assert_eq!(result, Err(TuneError::Stopped));
}
