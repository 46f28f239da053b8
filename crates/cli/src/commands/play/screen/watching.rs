//! Agents that play by themselves on the full screen: how fast, paused, step by step, and a look
//! back.

use std::time::{Duration, Instant};

use agon_arena::player::Heard;
use agon_core::Seat;
use agon_games::Table;
use ratatui::crossterm::event::KeyCode;

use super::super::game::in_brackets;
use super::super::watch::Note;
use super::app::App;
use super::thinking::{Purpose, Thinking};

/// How long every move stays on the screen at least, in milliseconds, from slow to fast.
const PACES: [u64; 7] = [8000, 4000, 2000, 1000, 500, 200, 0];
/// The pace at the start.
const FIRST_PACE: usize = 4;

/// Every key and what it does, for the help page.
pub(super) const HELP: [(&str, &str); 11] = [
    ("Space", "pause, or go on with the game"),
    ("Right, n", "one move on: the next one, or the agents' next"),
    ("Left, p", "one move back"),
    ("Home, End", "the first position, the newest one"),
    ("+, -", "faster, slower"),
    ("e", "the game's evaluations of the position"),
    ("s", "save the game to a file"),
    ("f", "turn the board"),
    ("?", "this page"),
    ("q, Ctrl-C", "quit, and show how to resume the game"),
    ("", "agon play --watch … --plain prints the game as text"),
];

/// The state of a game that is watched.
pub(super) struct Watch {
    paused: bool,
    /// How many moves are played although the game is paused.
    steps: usize,
    pace: usize,
    /// When the last move was shown.
    since: Instant,
    /// An answer that is not shown yet.
    held: Option<Heard<String>>,
    /// An earlier position that is looked back at.
    looking: Option<Box<dyn Table>>,
    /// What was said with moves, by ply and seat.
    notes: Vec<(usize, Seat, Note)>,
}

impl Watch {
    pub(super) fn new() -> Watch {
        Watch {
            paused: false,
            steps: 0,
            pace: FIRST_PACE,
            since: Instant::now(),
            held: None,
            looking: None,
            notes: Vec::new(),
        }
    }

    /// The position that is looked back at, if it is not the newest.
    pub(super) fn looking(&self) -> Option<&dyn Table> {
        self.looking.as_deref()
    }

    pub(super) fn is_paused(&self) -> bool {
        self.paused && self.steps == 0
    }

    /// How fast it goes, in words.
    pub(super) fn pace_words(&self) -> String {
        match PACES[self.pace] {
            0 => "as fast as they play".to_string(),
            pace => format!("at least {} s per move", pace as f64 / 1000.0),
        }
    }

    /// What a seat said with its last move before this ply.
    pub(super) fn note(&self, seat: Seat, before: usize) -> Option<&Note> {
        let said = self.notes.iter().rev();
        said.filter(|(ply, by, _)| *ply < before && *by == seat).map(|(_, _, note)| note).next()
    }

    /// Whether the agent to move is asked, or its answer is still to come.
    fn goes_on(&self) -> bool {
        !self.is_paused() && self.held.is_none()
    }

    /// Takes the answer that is to be shown now.
    fn due(&mut self) -> Option<Heard<String>> {
        let shown_long_enough = self.since.elapsed() >= Duration::from_millis(PACES[self.pace]);
        let now = self.steps > 0 || (!self.paused && shown_long_enough);
        self.held.take_if(|_| now)
    }
}

impl App {
    /// The position on the screen.
    pub(super) fn shown_table(&self) -> &dyn Table {
        self.watch.as_ref().and_then(Watch::looking).unwrap_or(self.game.table())
    }

    /// Lets the agents of a watched game go on, as far as they should.
    pub(super) fn watch_on(&mut self) -> anyhow::Result<()> {
        let Some(watch) = &mut self.watch else { return Ok(()) };
        if let Some(heard) = watch.due() {
            let (ply, mover) = (self.game.table().played().len(), self.game.session.to_move());
            watch.notes.extend(mover.zip(Note::of(&heard)).map(|(seat, note)| (ply, seat, note)));
            (watch.steps, watch.since) = (watch.steps.saturating_sub(1), Instant::now());
            let answer = heard.0.as_ref().ok();
            let words = answer.map(|answer| in_brackets(answer.score, answer.source));
            self.change(&words.unwrap_or_default(), |game| game.hear(heard))?;
        }
        let goes_on = self.watch.as_ref().is_some_and(Watch::goes_on);
        if goes_on
            && self.thinking.is_none()
            && let Some(agent) = self.game.agent_to_move()
        {
            let copy = self.game.session.fork();
            self.thinking = Some(Thinking::start(agent, copy, Purpose::Move)?);
        }
        Ok(())
    }

    /// An agent of a watched game has answered; its move is shown when it is time.
    pub(super) fn hold(&mut self, heard: Heard<String>) {
        if let Some(watch) = &mut self.watch {
            watch.held = Some(heard);
        }
    }

    /// A key while a game is watched.
    pub(super) fn watch_key(&mut self, code: KeyCode) {
        match code {
            KeyCode::Char(' ') => self.pause_or_go_on(),
            KeyCode::Right | KeyCode::Char('n') => self.one_on(),
            KeyCode::Left | KeyCode::Char('p') => {
                self.look_at(self.shown_table().played().len().saturating_sub(1));
            }
            KeyCode::Home => self.look_at(0),
            KeyCode::End => self.look_at(usize::MAX),
            KeyCode::Char('+' | '=') => self.change_pace(1),
            KeyCode::Char('-') => self.change_pace(-1),
            KeyCode::Char('e') => self.show_judgements(),
            KeyCode::Char('s') => self.ask_where_to_save(),
            KeyCode::Char('f') => self.turn_board(),
            KeyCode::Char('?') | KeyCode::F(1) => self.show_help(),
            KeyCode::Char('q') => self.leave(),
            _ => {}
        }
    }

    fn pause_or_go_on(&mut self) {
        let Some(watch) = &mut self.watch else { return };
        watch.paused = !watch.paused;
        watch.steps = 0;
        let paused = watch.paused;
        if !paused {
            watch.looking = None;
            self.refresh();
        }
        self.say(String::new());
    }

    /// The next position: one that was looked back from, or one that is still to be played.
    fn one_on(&mut self) {
        let Some(watch) = &mut self.watch else { return };
        watch.paused = true;
        match watch.looking().map(|table| table.played().len()) {
            Some(ply) => self.look_at(ply + 1),
            None if self.game.session.to_move().is_none() => {
                self.complain("the game is over; Left looks back".to_string());
            }
            None => watch.steps += 1,
        }
    }

    /// Looks at the position after this many moves, or at the newest one. The game is paused.
    fn look_at(&mut self, ply: usize) {
        let newest = self.game.table().played().len();
        let mut table = (ply < newest).then(|| self.game.table().fork());
        if let Some(table) = &mut table {
            while table.played().len() > ply && table.undo() {}
        }
        if let Some(watch) = &mut self.watch {
            (watch.paused, watch.steps, watch.looking) = (true, 0, table);
        }
        self.refresh();
        self.say(String::new());
    }

    fn change_pace(&mut self, by: isize) {
        let Some(watch) = &mut self.watch else { return };
        watch.pace = watch.pace.saturating_add_signed(by).min(PACES.len() - 1);
        let words = watch.pace_words();
        self.say(format!("Pace: {words}."));
    }
}
