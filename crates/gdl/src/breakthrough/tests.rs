use super::*;
use crate::kif::read;

#[test]
fn first() {
    for variant in ["breakthrough:5x5", "breakthrough:10x10,classic", "breakthrough:2x4"] {
        let variant: Variant = variant.parse().unwrap();
        let reading = recognise(&read(&rules_text(&variant, None).unwrap()).unwrap()).unwrap();
        assert_eq!(reading, Reading { variant, start: None, doubt: None });
    }
}
