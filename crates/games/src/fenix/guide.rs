//! What a player is asked to do: in the setup, when a capture is forced, and after a loss.

use super::moves::stackings;
use super::{Fenix, PLIES_OF_SETUP};

const CAPTURE: &str = "You must capture, and take as many units as you can.";
const NEW_GENERAL: &str = "Your general was taken. Only with this move may you make a new one: \
                           step with a soldier onto a soldier beside it.";
const NEW_KING: &str = "Your king was taken. Make a new one now, or you lose: step with a soldier \
                        onto a general beside it.";
const CAPTURE_COMES_FIRST: &str = "You have no king. Captures come first, so you cannot make one: \
                                   this is your last move.";
const NO_NEW_KING: &str = "You have no king and cannot make one: this is your last move.";

impl Fenix {
    /// What to do in the setup.
    fn setup_guide(&self) -> String {
        let [soldiers, generals, kings] = self.pieces[self.mover().index()];
        let turn = self.turn / 2 + 1;
        let general = generals.len() < 4 && stackings(soldiers, soldiers).count() > 0;
        let king = kings.is_empty() && stackings(soldiers, generals).count() > 0;
        let what = match (general, king) {
            (true, true) => {
                "a soldier beside it to make a general, or on a general to make the king"
            }
            (true, false) => "a soldier beside it to make a general",
            _ => "a general beside it to make the king",
        };
        let mut text = format!("Setup, turn {turn} of 5: put a soldier on {what}.");
        if general && kings.is_empty() && generals.len() == 3 {
            text +=
                " After a fourth general a soldier must stand beside one of them, for the king.";
        }
        text
    }

    /// What to do where it is not an ordinary turn.
    pub(super) fn guidance(&self) -> Option<String> {
        if self.turn < PLIES_OF_SETUP {
            return Some(self.setup_guide());
        }
        let [soldiers, _, kings] = self.pieces[self.mover().index()];
        let can_make_general = || stackings(soldiers, soldiers).count() > 0;
        let text = match (kings.any(), self.has_capture()) {
            (false, true) => CAPTURE_COMES_FIRST,
            (false, false) if self.can_crown() => NEW_KING,
            (false, false) => NO_NEW_KING,
            (true, true) => CAPTURE,
            (true, false) if self.may_create_general && can_make_general() => NEW_GENERAL,
            (true, false) => return None,
        };
        Some(text.to_string())
    }
}
