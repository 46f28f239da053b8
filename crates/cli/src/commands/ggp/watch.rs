//! The match on a page of the workbench that runs on the same data folder.

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use agon_arena::session::StoredSession;
use agon_web::Broadcast;
use agon_wire::ggp::player::Event;

/// Shows matches on a page. A thread of its own writes, so that no answer waits for a disk.
pub(super) struct Watch {
    boards: Sender<Board>,
    agent: String,
}

/// The board as it is, and who plays.
struct Board {
    session: StoredSession,
    players: Vec<String>,
}

impl Watch {
    /// Shows matches of this agent in the folder. Gives the name of their page, too.
    pub(super) fn open(folder: &Path, agent: &str) -> Result<(Watch, String), String> {
        let broadcast = Broadcast::open(folder).map_err(|error| error.to_string())?;
        let page = format!("/play/{}", broadcast.id());
        let (boards, shown) = channel();
        let show = move || write(broadcast, &shown);
        let started = thread::Builder::new().name("broadcast".into()).spawn(show);
        started.map_err(|error| format!("cannot start a thread: {error}"))?;
        Ok((Watch { boards, agent: agent.to_string() }, page))
    }

    /// Shows the board, if this is about it.
    pub(super) fn show(&self, event: &Event<'_>) {
        let Event::Board { session, role } = event else { return };
        let mut players = vec![format!("agon {}", self.agent), "the opponent".to_string()];
        if *role != "white" {
            players.swap(0, 1);
        }
        // A thread that has given up has said why.
        let _ = self.boards.send(Board { session: session.stored(), players });
    }
}

/// Writes the newest board there is.
fn write(mut broadcast: Broadcast, boards: &Receiver<Board>) {
    let mut told = false;
    while let Ok(mut board) = boards.recv() {
        // What is not the newest any more nobody needs to see.
        while let Ok(newer) = boards.try_recv() {
            board = newer;
        }
        let Board { session, players } = board;
        if let Err(error) = broadcast.show(&session, &players)
            && !std::mem::replace(&mut told, true)
        {
            anstream::eprintln!("note: the match cannot be shown on a page: {error}");
        }
    }
}
