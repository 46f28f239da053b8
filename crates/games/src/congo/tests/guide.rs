//! The guidance for a player: who drowns, and what is threatened.

use super::table;
use crate::battery::pages::threats;

#[test]
fn men_in_the_river_are_named_and_crocodiles_are_not() {
    let guide = |position: &str| table(position).guide();
    let one = "Your zebra on d4 drowns unless it leaves the river with this move.";
    assert_eq!(guide("3l3/7/7/3Z3/7/7/3L2P w 0").as_deref(), Some(one));
    let two = "In the river: your zebra on a4, pawn on d4. Only one can leave with this move; \
               the others drown.";
    assert_eq!(guide("4l2/7/7/Z2P2C/7/7/2L4 w 0").as_deref(), Some(two));
    assert_eq!(guide("4l2/7/7/z2p2C/7/7/2L4 w 0"), None);
}

#[test]
fn a_threat_may_take_several_men() {
    let monkey = table("3l3/5m1/4P2/7/2P4/7/2L4 w 0");
    assert_eq!(threats(&*monkey), ["f6d4 takes e5", "f6d4b2 takes c3 e5"]);
}

#[test]
fn a_man_that_will_drown_does_not_cover_the_lion() {
    assert_eq!(threats(&*table("3l3/7/7/3Z3/7/7/3L2P w 0")), ["d7d1 takes d1 wins"]);
    assert!(table("3l3/7/7/3C3/7/7/3L2P w 0").threats().is_empty());
    assert!(table("3l3/7/7/7/3Z3/7/3L2P w 0").threats().is_empty());
}
