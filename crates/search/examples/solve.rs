//! Solves variants.
use agon_core::{History, Variant};
use agon_games::{Playable, Visitor};
use agon_search::{Budget, Root, solver};
struct V(usize);
impl Visitor for V {
    type Output = ();
    fn visit<G: Playable>(self, v: Variant, start: G) {
        let history = History::new(&start);
        let o = solver::Options { hash_mib: self.0, threads: 1 };
        let s = solver::solve(
            Root { position: &start, history: &history },
            &Budget::default(),
            &o,
            &mut |_| {},
        )
        .unwrap();
        println!(
            "{v} {:?} nodes {} states {:?} dist {:?} line {} {:?}",
            s.value,
            s.nodes,
            s.states,
            s.distance,
            s.line.len(),
            s.time
        );
    }
}
fn main() {
    let mut hash = 256;
    for a in std::env::args().skip(1) {
        if let Ok(n) = a.parse() {
            hash = n;
            continue;
        }
        <agon_games::breakthrough::Family as agon_games::Family>::open(
            &a.parse().unwrap(),
            V(hash),
        )
        .unwrap();
    }
}
