//! `agon review`: a finished game with its turning points.

mod report;
mod source;

use agon_arena::files::shown;
use agon_arena::review::{self, Course, Review};
use agon_arena::store::AnalysisChange;
use agon_core::printable;
use agon_search::AgentSpec;
use anyhow::anyhow;

use crate::args::ReviewArgs;
use crate::data::Data;
use crate::failure::bad_input;
use crate::interrupt;
use crate::output::print_json;
use crate::progress::Progress;
use source::Source;

/// Reviews a game and prints it.
pub(crate) fn run(args: &ReviewArgs, data: &Data) -> anyhow::Result<()> {
    let source = Source::find(args, data)?;
    let review = reviewed(args, data, &source)?;
    if args.json {
        print_json(&review)?;
    } else if args.text {
        print!("{}", source.annotated(&review, data.catalog())?);
    } else {
        report::print(&source, &review)?;
    }
    Ok(())
}

/// The review: as it was made before, or by searching every position.
fn reviewed(args: &ReviewArgs, data: &Data, source: &Source) -> anyhow::Result<Review> {
    if source.game.moves.is_empty() {
        return Err(bad_input("this game has no moves: there is nothing to review"));
    }
    let tables = source.game.tables(data.catalog())?;
    let agent = review::reviewer(&args.agent, tables[0].seats())?;
    let key = review::key(&source.game, &agent, args.nodes);
    if let Some(known) = known(data, source, &key) {
        return Ok(known);
    }
    let mut course = Course::new(source.game.clone(), tables);
    search(&mut course, args, &agent)?;
    let review = course.finish(&agent, args.nodes);
    if source.is_stored {
        keep(data, key, &review);
    }
    Ok(review)
}

/// Searches every position.
fn search(course: &mut Course, args: &ReviewArgs, agent: &AgentSpec) -> anyhow::Result<()> {
    let stop = interrupt::stop_flag();
    let mut progress = Progress::new();
    let mut total = 0;
    while let Some(table) = course.next() {
        if course.total() > total {
            total = course.total();
            progress.begin(total as u64, course.done() as u64);
        }
        progress.show(course.done() as u64, || printable(&args.agent).into_owned());
        match review::opinion(table, agent, args.nodes, &stop)? {
            Some(opinion) => course.learn(opinion),
            None => {
                progress.finish();
                return Err(anyhow!("stopped after {} of {total} positions", course.done()));
            }
        }
    }
    progress.finish();
    Ok(())
}

/// The review of a stored game that was made before, here or on the pages.
fn known(data: &Data, source: &Source, key: &str) -> Option<Review> {
    let store = data.games_to_read().ok().filter(|_| source.is_stored)?;
    serde_json::from_str(&store.review(key).ok()??).ok()
}

/// Keeps the review of a stored game, so that the pages show it at once. It can be made again.
fn keep(data: &Data, key: String, review: &Review) {
    let kept = || -> anyhow::Result<()> {
        let change = AnalysisChange::Review(key, serde_json::to_string(review)?);
        Ok(data.games()?.change_analyses(&[change])?)
    };
    if let Err(error) = kept() {
        let folder = data.folder().map_or_else(|_| String::new(), |folder| shown(&folder));
        anstream::eprintln!("note: the review is not kept in {folder}: {error}");
    }
}
