//! From a percept to a position.

use agon_core::Variant;
use agon_games::{Catalog, Table};
use serde_json::Value;

use crate::LineProblem;

/// The maximum length of a percept; real ones have a tenth of that.
const LONGEST: usize = 4096;

/// The possible boards of an environment. Percepts do not name the board, so what is known is
/// remembered.
#[derive(Clone, Debug)]
pub(super) struct Boards {
    catalog: Catalog,
    /// Whether two-player games are on the rhombus.
    rhombus: bool,
}

impl Boards {
    /// What the name of an environment suggests.
    pub(super) fn new(catalog: &Catalog, env: &str) -> Boards {
        let rhombus = env.to_ascii_lowercase().contains("rhombus");
        Boards { catalog: catalog.clone(), rhombus }
    }

    /// The position in a percept: the agent is A and to move. Its history is unknown.
    pub(super) fn read(&mut self, percept: &Value) -> Result<Box<dyn Table>, LineProblem> {
        let text = position_text(percept)?;
        if percept.get("C").is_some() {
            return self.at("star3", &text);
        }
        if self.rhombus {
            match self.at("rhombus2", &text) {
                Ok(table) => return Ok(table),
                // A position that only fits the star shows that the name was misleading.
                Err(problem) => match self.at("star2", &text) {
                    Ok(table) => {
                        self.rhombus = false;
                        return Ok(table);
                    }
                    Err(_) => return Err(problem),
                },
            }
        }
        self.at("star2", &text)
    }

    /// The server refused a move here. If it is impossible on the rhombus, that must be the board,
    /// until a position shows otherwise.
    pub(super) fn doubt(&mut self, percept: &Value, refused: &str) {
        let small = percept.get("C").is_none() && !self.rhombus;
        let Some(text) = position_text(percept).ok().filter(|_| small) else { return };
        let table = self.at("rhombus2", &text);
        self.rhombus = table.is_ok_and(|table| table.read_move(refused).is_err());
    }

    fn at(&self, setup: &str, position: &str) -> Result<Box<dyn Table>, LineProblem> {
        let variant = Variant::new("fauhalma", setup);
        let table = self.catalog.open_at::<&str>(&variant, Some(position), &[])?;
        if table.to_move() != Some("A") {
            return Err(LineProblem::new("the percept is a position in which A cannot move"));
        }
        Ok(table)
    }
}

/// The text of a position.
fn position_text(percept: &Value) -> Result<String, LineProblem> {
    let Value::Object(fields) = percept else {
        return Err(LineProblem::new("the percept is not a position of FAUhalma: not an object"));
    };
    let mut parts = Vec::new();
    for (name, needed) in [("A", true), ("B", true), ("C", false)] {
        match fields.get(name) {
            Some(pegs) => parts.push(format!("\"{name}\":{pegs}")),
            None if needed => {
                let problem =
                    format!("the percept is not a position of FAUhalma: no pegs of {name}");
                return Err(LineProblem::new(problem));
            }
            None => {}
        }
    }
    parts.push("\"turn\":\"A\"".to_string());
    let text = format!("{{{}}}", parts.join(","));
    match text.len() <= LONGEST {
        true => Ok(text),
        false => Err(LineProblem::new("the percept is too long for a position of FAUhalma")),
    }
}

/// The legal move that advances farthest, other than these.
pub(super) fn farthest_move(table: &dyn Table, others: &[String]) -> Option<String> {
    let advance = |mv: &String| {
        let spaces: Vec<[i32; 2]> = serde_json::from_str(mv).unwrap_or_default();
        let height = |space: Option<&[i32; 2]>| space.map_or(0, |[_, y]| *y);
        height(spaces.last()) - height(spaces.first())
    };
    table.moves().into_iter().filter(|mv| !others.contains(mv)).max_by_key(advance)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn boards(env: &str) -> Boards {
        Boards::new(&Catalog::built_in(), env)
    }

    fn two(b_first: [i32; 2]) -> Value {
        json!({"A": [[1,-4],[2,-5],[2,-4],[3,-6],[3,-5],[3,-4]],
               "B": [b_first,[-3,5],[-3,6],[-2,4],[-2,5],[-1,4]]})
    }

    fn variant(boards: &mut Boards, percept: &Value) -> String {
        boards.read(percept).unwrap().variant().to_string()
    }

    #[test]
    fn the_board_is_seen_or_told_by_the_name() {
        let three = json!({"A": [[1,-4],[2,-5],[2,-4],[3,-6],[3,-5],[3,-4]],
            "B": [[1,3],[2,2],[2,3],[3,1],[3,2],[3,3]],
            "C": [[-6,3],[-5,2],[-5,3],[-4,1],[-4,2],[-4,3]]});
        assert_eq!(variant(&mut boards("ws2223-2.5-easy-3-player"), &three), "fauhalma:star3");
        // A name cannot turn a three-player game into a two-player game.
        assert_eq!(variant(&mut boards("rhombus"), &three), "fauhalma:star3");
        let both = two([-3, 4]);
        assert_eq!(variant(&mut boards("ws2223-2.2-easy-2-player"), &both), "fauhalma:star2");
        let mut boards = super::Boards::new(&Catalog::built_in(), "WS-Rhombus");
        assert_eq!(variant(&mut boards, &both), "fauhalma:rhombus2");
        // (4,-1) is a space of the star only; from then on it is known.
        assert_eq!(variant(&mut boards, &two([4, -1])), "fauhalma:star2");
        assert_eq!(variant(&mut boards, &both), "fauhalma:star2");
    }

    #[test]
    fn a_refused_move_may_show_that_the_board_is_smaller() {
        let mut percept = two([-3, 4]);
        percept["A"][0] = json!([3, -3]);
        let mut boards = super::Boards::new(&Catalog::built_in(), "e");
        assert!(boards.read(&percept).unwrap().read_move("[[3,-3],[4,-3]]").is_ok());
        // This one is legal on both boards.
        boards.doubt(&percept, "[[3,-3],[3,-2]]");
        assert_eq!(variant(&mut boards, &percept), "fauhalma:star2");
        boards.doubt(&percept, "[[3,-3],[4,-3]]");
        assert_eq!(variant(&mut boards, &percept), "fauhalma:rhombus2");
        percept["A"][0] = json!([4, -3]);
        assert_eq!(variant(&mut boards, &percept), "fauhalma:star2");
    }

    #[test]
    fn any_position_can_come_first() {
        // In the middle of a three-player game, with B home already.
        let percept = json!({"A": [[0,1],[2,-5],[2,-4],[-1,2],[3,-5],[3,-4]],
            "B": [[-1,-3],[-2,-2],[-2,-3],[-3,-1],[-3,-2],[-3,-3]],
            "C": [[-6,3],[-5,2],[-5,3],[-4,1],[-4,2],[1,0]], "note": "ignored"});
        let table = boards("e").read(&percept).unwrap();
        assert_eq!(table.to_move(), Some("A"));
        assert!(table.count_moves() > 0);
    }

    #[test]
    fn what_is_no_position_is_refused() {
        let long = json!({"A": vec![[1, 1]; 1000], "B": []});
        for percept in [
            json!(9),
            json!(null),
            json!([]),
            json!({}),
            json!({"A": []}),
            json!({"A": 1, "B": 2}),
            json!({"A": "x", "B": "y", "C": null}),
            two([0, 0]),
            two([1, -4]),
            two([99, 0]),
            long,
            // A is home: there is no move.
            json!({"A": [[-3,4],[-3,5],[-3,6],[-2,4],[-2,5],[-1,4]],
                   "B": [[1,-4],[2,-5],[2,-4],[3,-6],[3,-5],[3,-3]]}),
        ] {
            for env in ["star", "rhombus"] {
                assert!(boards(env).read(&percept).is_err(), "{percept}");
            }
        }
    }

    #[test]
    fn the_farthest_move_is_legal_and_another() {
        let table = boards("e").read(&two([-3, 4])).unwrap();
        let first = farthest_move(&*table, &[]).unwrap();
        let second = farthest_move(&*table, std::slice::from_ref(&first)).unwrap();
        assert!(first != second && table.moves().contains(&second));
        assert_eq!(farthest_move(&*table, &table.moves()), None);
    }
}
