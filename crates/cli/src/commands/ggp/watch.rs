//! Shows matches on a page of the workbench that runs on the same data folder.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use agon_arena::session::StoredSession;
use agon_games::Catalog;
use agon_web::Broadcast;
use agon_wire::ggp::player::Event;

/// Shows matches on a page. A separate thread writes, so that no answer waits for the disk.
pub(super) struct Watch {
    boards: Sender<Board>,
    agent: String,
}

/// The current board, and the players.
struct Board {
    session: StoredSession,
    players: Vec<String>,
}

impl Watch {
    /// Shows matches of this agent through the folder. Also returns the address of their page.
    pub(super) fn open(
        folder: &Path,
        catalog: Catalog,
        agent: &str,
    ) -> Result<(Watch, String), String> {
        let broadcast = Broadcast::open(folder, catalog).map_err(|error| error.to_string())?;
        let page = format!("/play/{}", broadcast.id());
        let (boards, shown) = channel();
        let show = move || write(broadcast, &shown);
        let started = thread::Builder::new().name("broadcast".into()).spawn(show);
        started.map_err(|error| format!("cannot start a thread: {error}"))?;
        Ok((Watch { boards, agent: agent.to_string() }, page))
    }

    /// Shows the board, if the event has one.
    pub(super) fn show(&self, event: &Event<'_>) {
        let Event::Board { session, role } = event else { return };
        let mut players = vec![format!("agon {}", self.agent), "the opponent".to_string()];
        if *role != "white" {
            players.swap(0, 1);
        }
        // If the thread has ended, it has already printed why.
        let _ = self.boards.send(Board { session: session.stored(), players });
    }
}

/// Writes the newest board.
fn write(mut broadcast: Broadcast, boards: &Receiver<Board>) {
    let mut reported = false;
    while let Ok(mut board) = boards.recv() {
        // Outdated boards are skipped.
        while let Ok(newer) = boards.try_recv() {
            board = newer;
        }
        let Board { session, players } = board;
        if let Err(error) = broadcast.show(&session, &players)
            && !std::mem::replace(&mut reported, true)
        {
            anstream::eprintln!("note: the match cannot be shown in the browser: {error}");
        }
    }
}
