//! The thread that thinks, while another one listens.

use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Scope, ScopedJoinHandle};

use agon_search::{Budget, Iteration};

use super::board::Board;
use super::lines::{EngineLine, Info};
use super::output::Output;

/// A search to be made.
pub(super) struct Job {
    pub(super) board: Board,
    pub(super) budget: Budget,
    /// Whether the answer has to wait until somebody says stop, however early it is known.
    pub(super) held: bool,
}

/// The one thread that searches, for a whole session: starting one costs more than many a move.
pub(super) struct Searcher<'scope> {
    jobs: Sender<Job>,
    done: Receiver<io::Result<Board>>,
    release: Sender<()>,
    thread: ScopedJoinHandle<'scope, ()>,
}

impl<'scope> Searcher<'scope> {
    pub(super) fn start<'env, W: Write + Send>(
        scope: &'scope Scope<'scope, 'env>,
        output: &'scope Output<W>,
    ) -> Searcher<'scope> {
        let (jobs, jobs_to_do) = channel();
        let (results, done) = channel();
        let (release, released) = channel();
        let thread = scope.spawn(move || {
            for job in jobs_to_do {
                if results.send(search(job, &released, output)).is_err() {
                    break;
                }
            }
        });
        Searcher { jobs, done, release, thread }
    }

    /// Begins a search. Its thread says the best move in the end.
    pub(super) fn begin(&self, job: Job) -> io::Result<()> {
        self.jobs.send(job).map_err(|_| broke_down())
    }

    /// Lets the answer of a held search go.
    pub(super) fn release(&self) {
        // Nobody listens only where the search is broken, which is found out by waiting for it.
        let _ = self.release.send(());
    }

    /// Waits until the search is over and its best move was said.
    pub(super) fn wait(&self) -> io::Result<Board> {
        self.done.recv().unwrap_or_else(|_| Err(broke_down()))
    }

    /// Ends the thread.
    pub(super) fn end(self) -> io::Result<()> {
        drop((self.jobs, self.release));
        self.thread.join().map_err(|_| broke_down())
    }
}

pub(super) fn broke_down() -> io::Error {
    io::Error::other("the search broke down; this is an error in the agent")
}

/// Thinks and answers, a held answer when it is let go.
fn search<W: Write>(job: Job, released: &Receiver<()>, output: &Output<W>) -> io::Result<Board> {
    let Job { mut board, budget, held } = job;
    let best = think(&mut board, &budget, output)?;
    if held {
        // An error means that the session is leaving.
        let _ = released.recv();
    }
    output.say(&EngineLine::BestMove(best))?;
    Ok(board)
}

/// Thinks within the budget and tells how far it has come. Whoever cannot be told anything any more
/// gets no further search.
pub(super) fn think<W: Write>(
    board: &mut Board,
    budget: &Budget,
    output: &Output<W>,
) -> io::Result<Option<String>> {
    let mut said = Ok(());
    let mut report = |iteration: &Iteration<String>| {
        // Weaker levels look at several lines whoever asked; one is reported unless more were wanted.
        if iteration.rank > 0 && !board.several_lines {
            return;
        }
        let mut info = Info::from(iteration);
        info.multipv = info.multipv.filter(|_| board.several_lines);
        if said.is_ok() {
            said = output.say(&EngineLine::Info(info));
        }
        if said.is_err() {
            budget.stop.stop();
        }
    };
    let choice = board.adviser.choose(&*board.table, budget, &mut report);
    said?;
    Ok(choice.map(|choice| choice.mv))
}
