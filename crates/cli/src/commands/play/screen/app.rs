//! The game on the full screen: its state and the actions on it.

use std::path::Path;

use agon_core::Seat;
use agon_core::scene::{CellId, Trace};
use ratatui::layout::{Position, Rect};

use super::super::game::{Game, advice, in_brackets, judgements};
use super::entry::{Entry, Intent, Touched};
use super::plan::Plan;
use super::side::wrapped;
use super::thinking::{Purpose, Thinking};
use super::watching::Watch;
use crate::draw::palette::{Colours, Light};
use crate::interrupt;

/// How many further moves of a hint's line are shown.
const SHOWN_LINE: usize = 5;
/// The width of the descriptions of evaluations.
const ABOUT_WIDTH: usize = 52;

/// The input mode.
pub(super) enum Mode {
    /// Selecting cells on the board.
    Board,
    /// Choosing one of several moves.
    Choose { moves: Vec<usize>, chosen: usize },
    /// Typing a file name.
    Ask { name: String },
    /// Reading a page of text.
    Page { title: &'static str, lines: Vec<String>, top: usize },
}

/// The last message.
pub(super) enum Message {
    Said(String),
    Complaint(String),
}

/// Where things were drawn, to map mouse clicks.
#[derive(Default)]
pub(super) struct Drawn {
    pub(super) board: Option<(Position, Plan)>,
    /// The lines of the list of moves to choose from.
    pub(super) list: Rect,
    /// How many of its lines are scrolled off the top.
    pub(super) list_top: usize,
    /// Whether a page is longer than the window.
    pub(super) scrolls: bool,
}

/// The game on the full screen.
pub(super) struct App {
    pub(super) game: Game,
    pub(super) entry: Entry,
    pub(super) colours: Colours,
    pub(super) coloured: bool,
    pub(super) cursor: CellId,
    /// The column that the cursor keeps when it moves up and down.
    pub(super) column: Option<u16>,
    /// How often the board is turned.
    pub(super) turns: usize,
    pub(super) mode: Mode,
    pub(super) message: Message,
    pub(super) thinking: Option<Thinking>,
    pub(super) drawn: Drawn,
    /// The cell where the mouse button was pressed.
    pub(super) pressed: Option<CellId>,
    pub(super) left: bool,
    /// The state of a game without people.
    pub(super) watch: Option<Watch>,
    hint: Option<Trace>,
}

impl App {
    /// The game, seen from the person's side.
    pub(super) fn new(game: Game, coloured: bool) -> App {
        let entry = Entry::new(game.table());
        let turns = own_side(&game);
        let mut app = App {
            colours: Colours::of(game.table()),
            coloured,
            cursor: 0,
            column: None,
            turns,
            mode: Mode::Board,
            message: Message::Said(String::new()),
            thinking: None,
            drawn: Drawn::default(),
            pressed: None,
            left: false,
            watch: game.is_watched().then(Watch::new),
            hint: None,
            game,
            entry,
        };
        app.refresh();
        app.cursor = app.first_cursor();
        if app.watch.is_some() {
            app.say("Space pauses, the arrow keys look back.".to_string());
            return app;
        }
        let what = if app.entry.only_places() { "where to place a piece" } else { "a piece" };
        app.say(format!("Click {what}, or use the arrow keys and Enter."));
        app
    }

    /// A piece that can move or, where pieces are only placed, the middle of the places.
    fn first_cursor(&self) -> CellId {
        let cells: Vec<CellId> = self.entry.next_stops().into_iter().collect();
        let first = if self.entry.only_places() { cells.len() / 2 } else { 0 };
        cells.get(first).copied().unwrap_or(0)
    }

    /// Handles what happens without input: agents start to think or answer, a signal arrives.
    pub(super) fn tick(&mut self) -> anyhow::Result<()> {
        if interrupt::stop_flag().is_set() {
            self.leave();
        }
        if self.thinking.as_ref().is_some_and(Thinking::is_done)
            && let Some(thinking) = self.thinking.take()
        {
            self.hear(thinking)?;
        }
        if self.watch.is_some() && !self.left {
            return self.watch_on();
        }
        if self.thinking.is_none()
            && !self.left
            && let Some(agent) = self.game.agent_to_move()
        {
            let copy = self.game.session.fork();
            self.thinking = Some(Thinking::start(agent, copy, Purpose::Move)?);
        }
        Ok(())
    }

    fn hear(&mut self, thinking: Thinking) -> anyhow::Result<()> {
        let purpose = thinking.purpose;
        let heard = thinking.answer()?;
        match purpose {
            Purpose::Move if self.watch.is_some() => {
                self.hold(heard);
                Ok(())
            }
            Purpose::Move => {
                let answer = heard.0.as_ref().ok();
                let words = answer.map(|answer| in_brackets(answer.score, answer.source));
                self.change(&words.unwrap_or_default(), |game| game.hear(heard))
            }
            Purpose::Hint => {
                match advice(heard, SHOWN_LINE) {
                    Some((mv, score, line)) => {
                        self.hint = self.game.table().trace(&mv).ok();
                        self.say(format!("Hint: {mv}{score}{line}"));
                    }
                    None => self.complain("no hint found".to_string()),
                }
                Ok(())
            }
        }
    }

    /// Plays a person's move.
    pub(super) fn play(&mut self, mv: &str) -> anyhow::Result<()> {
        self.stop_thinking();
        self.change("", |game| game.play(mv))
    }

    /// Changes the game and shows the result.
    pub(super) fn change(
        &mut self,
        score: &str,
        change: impl FnOnce(&mut Game) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let before = self.game.session.plies().len();
        change(&mut self.game)?;
        self.refresh();
        let played = self.game.session.plies().get(before).map(|ply| {
            format!("{} played {}{score}", self.game.table().seat_label(ply.seat), ply.mv)
        });
        match self.game.save_if_wanted() {
            Some(why) => self.complain(why),
            None => self.say(played.unwrap_or_default()),
        }
        Ok(())
    }

    /// A person selected a cell.
    pub(super) fn touch(&mut self, cell: CellId, intent: Intent) -> anyhow::Result<()> {
        self.cursor = cell;
        if self.game.person_to_move().is_none() {
            match self.game.to_move() {
                Some(name) => self.complain(format!("it is {name}'s turn; u takes your move back")),
                None => self.complain("the game is over; u takes a move back".to_string()),
            }
            return Ok(());
        }
        match self.entry.touch(cell, intent) {
            Touched::Noted => self.say(self.what_next()),
            Touched::Dropped => self.say(String::new()),
            Touched::Move(mv) => self.play(&mv)?,
            Touched::Several(moves) => self.mode = Mode::Choose { moves, chosen: 0 },
            Touched::Wrong(why) => self.complain(why),
        }
        Ok(())
    }

    /// Plays the move with this index in the list of choices.
    pub(super) fn choose(&mut self, place: usize) -> anyhow::Result<()> {
        let Mode::Choose { moves, .. } = &self.mode else { return Ok(()) };
        let chosen = moves.get(place).and_then(|&number| self.entry.candidate(number));
        if let Some(mv) = chosen.map(|candidate| candidate.text.clone()) {
            self.mode = Mode::Board;
            self.play(&mv)?;
        }
        Ok(())
    }

    pub(super) fn undo(&mut self) {
        self.stop_thinking();
        if self.game.undo() {
            self.refresh();
            self.say("Taken back.".to_string());
        } else {
            self.complain("there is nothing to take back".to_string());
        }
    }

    pub(super) fn resign(&mut self) {
        self.stop_thinking();
        match self.game.resign() {
            Ok(()) => {
                self.refresh();
                self.say("You resigned.".to_string());
            }
            Err(why) => self.complain(why.to_string()),
        }
    }

    pub(super) fn ask_for_hint(&mut self) -> anyhow::Result<()> {
        match (self.game.person_to_move(), &self.thinking) {
            (None, _) => self.complain("hints are for your own turn".to_string()),
            (Some(_), Some(_)) => {}
            (Some(_), None) => {
                let copy = self.game.for_advice();
                self.thinking = Some(Thinking::start(&self.game.adviser, copy, Purpose::Hint)?);
                self.say(String::new());
            }
        }
        Ok(())
    }

    pub(super) fn show_judgements(&mut self) {
        let table = self.shown_table();
        let over = self.game.session.to_move().is_none()
            && table.played().len() == self.game.table().played().len();
        let mover = table.status().to_move().filter(|_| !over);
        let Some(mover) = mover.map(|seat| table.seat_label(seat)) else {
            return self.complain("the game is over".to_string());
        };
        let mut lines = vec![format!("For {mover}:"), String::new()];
        for it in judgements(table) {
            lines.push(format!("{:<10} {:>+9.2}", it.name, it.value));
            lines.extend(wrapped(it.about, ABOUT_WIDTH).iter().map(|line| format!("    {line}")));
        }
        self.mode = Mode::Page { title: "Evaluations", lines, top: 0 };
    }

    pub(super) fn ask_where_to_save(&mut self) {
        let known = self.game.save_to.as_ref().map(|file| file.display().to_string());
        self.mode = Mode::Ask { name: known.unwrap_or_else(|| "game.json".to_string()) };
    }

    pub(super) fn save(&mut self, name: &str) {
        match self.game.save(Path::new(name)) {
            Ok(()) => self.say(format!("Saved. To resume it: agon play --load {name}")),
            Err(why) => self.complain(why),
        }
    }

    /// Turns the board by one step.
    pub(super) fn turn_board(&mut self) {
        self.turns = (self.turns + 1) % self.entry.scene().shape.full_circle();
        self.column = None;
    }

    pub(super) fn leave(&mut self) {
        self.stop_thinking();
        self.left = true;
    }

    pub(super) fn say(&mut self, text: String) {
        self.message = Message::Said(text);
    }

    pub(super) fn complain(&mut self, text: String) {
        self.message = Message::Complaint(text);
    }

    /// The highlight of each cell. The move being entered takes precedence over a shown move, and
    /// that over the last move.
    pub(super) fn lights(&self) -> Vec<Option<Light>> {
        let mut lights = vec![None; self.entry.scene().cells.len()];
        let mut light = |cells: &mut dyn Iterator<Item = CellId>, with: Light| {
            for cell in cells {
                if let Some(it) = lights.get_mut(cell) {
                    *it = Some(with);
                }
            }
        };
        let route = |trace: &Trace| trace.routes.first().cloned().unwrap_or_default();
        let last = self.shown_table().last();
        light(&mut last.into_iter().flat_map(|last| route(last.trace)), Light::Last);
        if !self.entry.stops().is_empty() {
            light(&mut self.entry.next_stops().into_iter(), Light::Stop);
            light(&mut self.entry.ends().into_iter(), Light::End);
        } else if self.game.person_to_move().is_some() {
            // Where a piece placed at the cursor would come to stand.
            light(&mut self.entry.landings(Some(self.cursor)).into_iter(), Light::End);
        }
        if let Some(trace) = self.shown() {
            light(&mut route(trace).into_iter(), Light::Shown);
            light(&mut trace.removes.iter().copied(), Light::Taken);
        }
        light(&mut self.entry.stops().iter().copied(), Light::Chosen);
        lights
    }

    /// The move to show: the selected one of several, or the hint.
    fn shown(&self) -> Option<&Trace> {
        match &self.mode {
            Mode::Choose { moves, chosen } => {
                let candidate = self.entry.candidate(*moves.get(*chosen)?)?;
                Some(&candidate.trace)
            }
            _ => self.hint.as_ref().filter(|_| self.entry.stops().is_empty()),
        }
    }

    /// Resets the input after a change of the position.
    pub(super) fn refresh(&mut self) {
        self.entry = Entry::new(self.shown_table());
        self.hint = None;
        self.mode = Mode::Board;
        self.pressed = None;
    }

    fn stop_thinking(&mut self) {
        if let Some(thinking) = self.thinking.take() {
            thinking.cancel();
        }
    }

    /// Where a move that was started can go.
    fn what_next(&self) -> String {
        let name = |id: CellId| self.entry.scene().cells.get(id).map_or("", |cell| &cell.name);
        let entered: Vec<&str> = self.entry.stops().iter().map(|&id| name(id)).collect();
        let ends: Vec<&str> = self.entry.ends().into_iter().map(name).collect();
        let placing = if self.entry.may_place_here() { "; Enter again places a piece" } else { "" };
        format!("From {} to {}{placing}", entered.join(" via "), ends.join(" · "))
    }
}

/// The turns that bring the person's pieces to the front, if only one person plays. Others see the
/// board as the game draws it.
fn own_side(game: &Game) -> usize {
    let seats = Seat::all(game.table().seats()).zip(&game.players);
    let people: Vec<Seat> =
        seats.filter(|(_, player)| player.is_human()).map(|(seat, _)| seat).collect();
    // Where the pieces stand now does not matter, only where they started.
    let start = game.table().catalog().open(game.table().variant());
    match (&people[..], start) {
        ([seat], Ok(start)) => start.scene().turns_to_front(*seat),
        _ => 0,
    }
}
