//! The search thread, while another one reads the input.

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
    /// Whether the answer has to wait for `stop`, however early it is known.
    pub(super) held: bool,
}

/// The search thread of a whole session: starting one costs more than many a move.
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

    /// Starts a search. Its thread sends the best move at the end.
    pub(super) fn begin(&self, job: Job) -> io::Result<()> {
        self.jobs.send(job).map_err(|_| crashed())
    }

    /// Releases the answer of a held search.
    pub(super) fn release(&self) {
        // Sending fails only if the search has crashed, which the next wait reports.
        let _ = self.release.send(());
    }

    /// Waits until the search is over and its best move was sent.
    pub(super) fn wait(&self) -> io::Result<Board> {
        self.done.recv().unwrap_or_else(|_| Err(crashed()))
    }

    /// Ends the thread.
    pub(super) fn end(self) -> io::Result<()> {
        drop((self.jobs, self.release));
        self.thread.join().map_err(|_| crashed())
    }
}

pub(super) fn crashed() -> io::Error {
    io::Error::other("the search crashed; this is a bug in the agent")
}

/// Thinks and answers; a held answer waits until it is released.
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

/// Thinks within the budget and reports the iterations. Once the output is closed, there are no
/// further searches.
pub(super) fn think<W: Write>(
    board: &mut Board,
    budget: &Budget,
    output: &Output<W>,
) -> io::Result<Option<String>> {
    let mut said = Ok(());
    let mut report = |iteration: &Iteration<String>| {
        // Weaker levels search several lines anyway; only one is reported unless more were
        // requested.
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
    if let Some(source) = choice.as_ref().and_then(|choice| choice.statistics.source.name()) {
        output.say(&EngineLine::Note(source.to_string()))?;
    }
    Ok(choice.map(|choice| choice.mv))
}
