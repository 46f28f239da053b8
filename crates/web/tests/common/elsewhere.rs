//! Stands in for another process that plays a game and shows it on the pages.

use std::path::Path;
use std::time::Duration;

use agon_arena::session::{Session, TableSession};
use agon_core::Rng;
use agon_web::Broadcast;

/// The default players.
pub const NAMES: [&str; 2] = ["white at 127.0.0.1", "<b>black</b>"];

/// The other process.
pub struct Elsewhere {
    broadcast: Broadcast,
    session: TableSession,
    names: Vec<String>,
    rng: Rng,
}

impl Elsewhere {
    /// Starts a game and shows it.
    pub fn begin(folder: &Path, variant: &str) -> Elsewhere {
        let broadcast = Broadcast::open(folder, Default::default()).unwrap();
        let (session, rng) = (session(variant), Rng::new(1));
        let mut elsewhere = Elsewhere { broadcast, session, names: Vec::new(), rng };
        elsewhere.next_game(variant, NAMES);
        elsewhere
    }

    /// The id of the page.
    pub fn id(&self) -> &str {
        self.broadcast.id()
    }

    /// Its path in the API.
    pub fn path(&self) -> String {
        format!("/api/games/{}", self.id())
    }

    /// The game itself.
    pub fn session(&self) -> &TableSession {
        &self.session
    }

    /// Starts another game, which replaces the last one.
    pub fn next_game(&mut self, variant: &str, names: [&str; 2]) {
        (self.session, self.names) = (session(variant), names.map(str::to_string).to_vec());
        self.show();
    }

    /// Plays a move.
    pub fn play(&mut self) {
        let choice = self.rng.choose(&self.session.table().moves()).cloned().unwrap();
        self.session.play(choice, Duration::from_millis(3)).unwrap();
        self.show();
    }

    /// Plays the game to its end.
    pub fn finish(&mut self) {
        while self.session.to_move().is_some() {
            self.play();
        }
    }

    fn show(&mut self) {
        self.broadcast.show(&self.session.stored(), &self.names).unwrap();
    }
}

fn session(variant: &str) -> TableSession {
    let table = agon_games::open(&variant.parse().unwrap()).unwrap();
    Session::at_table(table, Default::default())
}
