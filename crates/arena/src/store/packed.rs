//! Compact lists of numbers: seven bits per byte, the lowest first; the top bit says that more
//! follow. That way a move of a millisecond takes two bytes instead of eight.

use agon_search::Score;

const MORE: u8 = 0x80;

/// Packs numbers. All zeros are an empty list.
pub(super) fn pack(numbers: &[u64]) -> Vec<u8> {
    if numbers.iter().all(|&number| number == 0) {
        return Vec::new();
    }
    let mut bytes = Vec::with_capacity(numbers.len() * 3);
    for &number in numbers {
        let mut rest = number;
        while rest >= u64::from(MORE) {
            bytes.push(rest as u8 | MORE);
            rest >>= 7;
        }
        bytes.push(rest as u8);
    }
    bytes
}

/// Unpacks `count` numbers; `None` if these bytes were not packed from that many.
pub(super) fn unpack(bytes: &[u8], count: usize) -> Option<Vec<u64>> {
    if bytes.is_empty() {
        return Some(vec![0; count]);
    }
    let mut numbers = Vec::with_capacity(count.min(bytes.len()));
    let (mut number, mut shift) = (0, 0);
    for &byte in bytes {
        let bits = u64::from(byte & !MORE);
        if shift >= u64::BITS || bits << shift >> shift != bits {
            return None;
        }
        number |= bits << shift;
        shift += 7;
        if byte & MORE == 0 {
            numbers.push(number);
            (number, shift) = (0, 0);
        }
    }
    (shift == 0 && numbers.len() == count).then_some(numbers)
}

/// Packs scores: 0 for none, else one more than the raw value, signs last: 0, -1, 1, -2, … count as
/// 0, 1, 2, 3, …
pub(super) fn pack_scores(scores: &[Option<Score>]) -> Vec<u8> {
    let number = |score: &Option<Score>| {
        let folded = score.map(|score| (score.value() << 1) ^ (score.value() >> 31));
        folded.map_or(0, |folded| u64::from(folded as u32) + 1)
    };
    pack(&scores.iter().map(number).collect::<Vec<_>>())
}

/// Unpacks `count` scores.
pub(super) fn unpack_scores(bytes: &[u8], count: usize) -> Option<Vec<Option<Score>>> {
    let score = |number: u64| {
        let Some(folded) = number.checked_sub(1) else { return Some(None) };
        let folded = u32::try_from(folded).ok()?;
        let value = (folded >> 1) as i32 ^ -((folded & 1) as i32);
        Score::read(value).map(Some)
    };
    unpack(bytes, count)?.into_iter().map(score).collect()
}

/// Packs who moved: only the first mover if the seats took turns in order, else all.
pub(super) fn pack_movers(movers: &[u8], seats: usize) -> Vec<u8> {
    match movers.first() {
        Some(&first) if movers == in_turn(first, movers.len(), seats) => vec![first],
        _ => movers.to_vec(),
    }
}

/// Unpacks who made `count` moves at a table of `seats`.
pub(super) fn unpack_movers(bytes: &[u8], count: usize, seats: usize) -> Option<Vec<u8>> {
    if bytes.iter().any(|&seat| usize::from(seat) >= seats) {
        return None;
    }
    let movers = match bytes {
        [first] => in_turn(*first, count, seats),
        all => all.to_vec(),
    };
    (movers.len() == count).then_some(movers)
}

fn in_turn(first: u8, count: usize, seats: usize) -> Vec<u8> {
    let seats = seats.max(1);
    (0..count).map(|ply| ((usize::from(first) + ply) % seats) as u8).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_come_back(numbers: Vec<u64>) {
            prop_assert_eq!(unpack(&pack(&numbers), numbers.len()), Some(numbers));
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes: Vec<u8>, count in 0_usize..20) {
            if let Some(numbers) = unpack(&bytes, count) {
                prop_assert_eq!(numbers.len(), count);
            }
        }

        #[test]
        fn scores_come_back(scores in prop::collection::vec(prop::option::of(any_score()), 0..40)) {
            prop_assert_eq!(unpack_scores(&pack_scores(&scores), scores.len()), Some(scores));
        }

        #[test]
        fn any_bytes_are_scores_or_refused(bytes: Vec<u8>, count in 0_usize..20) {
            if let Some(scores) = unpack_scores(&bytes, count) {
                prop_assert_eq!(scores.len(), count);
            }
        }

        #[test]
        fn movers_come_back(movers in prop::collection::vec(0_u8..3, 0..30)) {
            let packed = pack_movers(&movers, 3);
            prop_assert_eq!(unpack_movers(&packed, movers.len(), 3), Some(movers));
        }
    }

    fn any_score() -> impl Strategy<Value = Score> {
        prop_oneof![
            any::<i32>().prop_map(Score::units),
            any::<u32>().prop_map(Score::win_in),
            (0_u32..200).prop_map(Score::loss_in),
        ]
    }

    #[test]
    fn a_small_score_takes_one_byte_and_none_at_all_nothing() {
        assert_eq!(pack_scores(&[Some(Score::units(-31)), None, Some(Score::DRAW)]), [62, 0, 1]);
        assert!(pack_scores(&[None, None]).is_empty());
        // No score has this value.
        assert_eq!(unpack_scores(&pack(&[2 * 200_000 + 1]), 1), None);
        assert_eq!(unpack_scores(&pack(&[u64::MAX]), 1), None);
    }

    #[test]
    fn turns_in_order_take_one_byte() {
        assert_eq!(pack_movers(&[1, 0, 1, 0, 1], 2), [1]);
        assert_eq!(pack_movers(&[1, 2, 0, 1], 3), [1]);
        assert_eq!(pack_movers(&[0, 2, 0, 2], 3), [0, 2, 0, 2]);
    }

    #[test]
    fn lists_that_were_cut_are_found_out() {
        let packed = pack(&[1, 300]);
        assert_eq!(packed, [1, 0xAC, 2]);
        assert_eq!(unpack(&packed[..2], 2), None);
        assert_eq!(unpack(&packed[..1], 2), None);
        assert_eq!(unpack(&packed, 3), None);
        assert_eq!(unpack(&[0xFF; 11], 1), None);
        assert_eq!(unpack_movers(&[2], 4, 2), None);
        assert_eq!(unpack_movers(&[0, 1], 3, 2), None);
    }
}
