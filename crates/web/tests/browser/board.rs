//! Using the board.

use serde_json::{Value, json};
use thirtyfour::By;

use crate::harness::Visit;
use crate::page::BOARD;

impl Visit {
    /// Clicks on a cell.
    pub fn cell(&self, name: &str) {
        self.click(&format!("{BOARD} [data-cell=\"{name}\"]"));
    }

    /// Clicks on one cell after another.
    pub fn cells(&self, names: &[&str]) {
        names.iter().for_each(|name| self.cell(name));
    }

    /// Drags the piece on a cell to another.
    pub fn drag(&self, from: &str, to: &str) {
        let find = |name: &str| {
            let cell = format!("{BOARD} [data-cell=\"{name}\"]");
            self.runtime.block_on(self.driver.find(By::Css(cell))).expect("the cell is there")
        };
        let dragged = self.driver.action_chain().drag_and_drop_element(&find(from), &find(to));
        self.runtime.block_on(dragged.perform()).expect("the mouse can be moved");
    }

    /// The label of a cell for screen readers: `c4, white lion, river, can move`.
    pub fn words(&self, name: &str) -> String {
        let cell = format!("{BOARD} [data-cell=\"{name}\"]");
        let words = "document.querySelector(arguments[0])?.getAttribute('aria-label')";
        self.ask_about(words, vec![json!(cell)]).as_str().unwrap_or_default().to_string()
    }

    /// Waits until the label of a cell contains these words.
    pub fn becomes(&self, name: &str, words: &str) {
        self.until(&format!("{name} is {words}"), || {
            self.words(name).contains(words).then_some(())
        });
    }

    /// The cells where the move can go next.
    pub fn targets(&self) -> Vec<String> {
        self.names(".can-go")
    }

    /// The cells where a move can start.
    pub fn starts(&self) -> Vec<String> {
        self.names(".can-start")
    }

    fn names(&self, class: &str) -> Vec<String> {
        let all = "[...document.querySelectorAll(arguments[0])].map((cell) => cell.dataset.cell)";
        let names = self.ask_about(all, vec![json!(format!("{BOARD} {class}"))]);
        names
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_string)
            .collect()
    }

    /// How many moves are in the page's list.
    pub fn ply(&self) -> usize {
        self.count("[data-moves] [data-ply]")
    }

    /// Waits until this many moves are in the list and the board is at rest: a move can be entered,
    /// or the game is over.
    pub fn at_ply(&self, ply: usize) {
        self.until(&format!("{ply} moves are played"), || (self.ply() == ply).then_some(()));
        self.ready();
    }

    /// Waits until a move can be entered (true) or the game is over (false).
    pub fn ready(&self) -> bool {
        let state = format!(
            "document.querySelector('[data-result]') ? 'over' :
             document.querySelector('{BOARD} :is(.can-start, .can-place)') ? 'open' : null"
        );
        self.wait("a move can be entered", &state) == "open"
    }

    /// Whether a move is half entered.
    pub fn is_entering(&self) -> bool {
        let selected = format!("{BOARD} [data-cell][aria-label*=', selected']");
        self.count(&selected) > 0
    }

    /// Enters a move of the API by clicking along its route, stop by stop, as far as needed.
    pub fn enter(&self, mv: &Value, scene: &Value) {
        let name = |cell: &Value| {
            let cell = cell.as_u64().unwrap_or_default() as usize;
            scene["cells"][cell]["name"].as_str().unwrap_or_default().to_string()
        };
        let way: Vec<String> = mv["routes"][0].as_array().into_iter().flatten().map(name).collect();
        let (first, rest) = way.split_first().expect("a move has a start");
        self.cell(first);
        let places = rest.is_empty() && self.count(".board-choices") == 0;
        assert!(places || self.is_entering(), "{} cannot begin at {first}", mv["text"]);
        for stop in rest {
            if !self.is_entering() {
                return;
            }
            self.cell(stop);
        }
        // Longer moves follow the same route: a second click ends the move here.
        if self.is_entering() && self.count(".board-choices") == 0 {
            self.cell(way.last().expect("a move has an end"));
        }
        if self.count(".board-choices") > 0 {
            let text = mv["text"].as_str().unwrap_or_default();
            self.click(&format!("[data-choice='{text}']"));
        }
        assert!(!self.is_entering(), "{} was not entered", mv["text"]);
    }
}
