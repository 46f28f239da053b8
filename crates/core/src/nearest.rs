//! "Did you mean …?": the known word that is nearest to one that nobody knows.

/// The nearest of the known words, if it is near enough to have been meant: at most one letter in
/// three is wrong, and one more.
///
/// ```
/// use agon_core::nearest::nearest;
/// assert_eq!(nearest("breaktrough", &["congo", "breakthrough"]), Some("breakthrough"));
/// assert_eq!(nearest("chess", &["congo", "breakthrough"]), None);
/// ```
pub fn nearest<'a>(wanted: &str, known: &[&'a str]) -> Option<&'a str> {
    let distances = known.iter().map(|name| (distance(wanted, name), *name));
    let near = |(distance, name): &(usize, &str)| *distance <= 1 + name.chars().count() / 3;
    distances.min().filter(near).map(|(_, name)| name)
}

/// How many letters have to be put in, left out, replaced, or exchanged with their neighbours.
fn distance(one: &str, other: &str) -> usize {
    let [one, other]: [Vec<char>; 2] = [one, other].map(|text| text.chars().collect());
    // Distances of the beginnings of `one` to those of `other`: a row for each of the former.
    let mut rows: Vec<Vec<usize>> = vec![(0..=other.len()).collect()];
    for i in 1..=one.len() {
        let mut row = vec![i];
        for j in 1..=other.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(one[i - 1] != other[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            let crossed =
                i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1];
            if crossed {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_typing_mistakes() {
        for (one, other, wanted) in [
            ("", "", 0),
            ("", "abc", 3),
            ("formt", "format", 1),
            ("fromat", "format", 1),
            ("mnimax", "minimax", 1),
            ("kitten", "sitting", 3),
            ("ä", "a", 1),
        ] {
            assert_eq!(distance(one, other), wanted, "{one} {other}");
            assert_eq!(distance(other, one), wanted, "{other} {one}");
        }
    }

    #[test]
    fn only_what_may_have_been_meant_is_offered() {
        assert_eq!(nearest("engin", &["engine", "greedy"]), Some("engine"));
        assert_eq!(nearest("xyz", &["engine", "greedy"]), None);
        assert_eq!(nearest("anything", &[]), None);
    }
}
