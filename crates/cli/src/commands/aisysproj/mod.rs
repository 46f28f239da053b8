//! `agon aisysproj`: plays FAUhalma on the course's server.

mod json;
mod trial;
mod view;
mod words;

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use agon_search::StopFlag;
use agon_wire::aisysproj::client::{Client, Config, Event, Failure, Options, Totals};
use anyhow::Error;
use view::View;

use crate::args::{AisysprojArgs, AisysprojTask, EffortArgs};
use crate::data::Data;
use crate::failure::bad_input;
use crate::interrupt::{self, stop_flag};

/// Runs the client, or the trial.
pub(crate) fn run(args: &AisysprojArgs, data: &Data) -> anyhow::Result<()> {
    match (&args.task, &args.config) {
        (Some(AisysprojTask::Try(args)), _) => trial::run(args, data),
        (None, Some(config)) => play(args, config, data),
        (None, None) => Err(bad_input("expected a config file")),
    }
}

/// Plays until the games are played or Ctrl-C.
fn play(args: &AisysprojArgs, config: &Path, data: &Data) -> anyhow::Result<()> {
    let config = Config::load(config).map_err(|error| bad_input(error.to_string()))?;
    let mut client = Client::new(config.clone(), options(args, data)?)?;
    let stop = stop_flag();
    let mut output = Output::new(args, &config, &stop);
    output.greet(args, &config);
    let played = client.run(&stop, &mut |event| output.show(event));
    output.end(&config, played.as_ref().ok())?;
    if args.games == 0 {
        interrupt::forget_ctrl_c();
    }
    played.map(|_| ()).map_err(failed)
}

fn failed(failure: Failure) -> Error {
    match failure {
        Failure::Agent(error) => error.into(),
        Failure::Credentials(_) => bad_input(failure.to_string()),
        other => Error::new(other),
    }
}

fn options(args: &AisysprojArgs, data: &Data) -> anyhow::Result<Options> {
    let mut options = Options::new(args.agent.parse()?);
    options.catalog = data.catalog().clone();
    options.games = args.games;
    options.parallel = if args.single { 1 } else { usize::from(args.parallel) };
    limit(&mut options, args.per_move, &args.effort);
    options.threads = args.threads.map_or(options.threads, usize::from);
    Ok(options)
}

/// The default time per move holds only if no limit is given.
fn limit(options: &mut Options, per_move: Option<Duration>, effort: &EffortArgs) {
    let EffortArgs { depth, nodes } = *effort;
    if per_move.is_some() || depth.is_some() || nodes.is_some() {
        options.per_move = per_move;
    }
    (options.depth, options.nodes) = (depth, nodes);
}

/// The output.
struct Output {
    form: Form,
    /// Set when the output is closed: then there is no reason to continue.
    stop: StopFlag,
    closed: Option<io::Error>,
}

/// The form of the output.
enum Form {
    /// Lines of JSON.
    Json,
    /// Lines of text, optionally with every request and response.
    Lines { exchanges: bool },
    /// A few lines that are updated in place.
    View(View),
}

impl Output {
    fn new(args: &AisysprojArgs, config: &Config, stop: &StopFlag) -> Output {
        let form = if args.json {
            Form::Json
        } else if args.single {
            Form::Lines { exchanges: true }
        } else {
            let view = View::open(&words::title(config, &args.agent));
            view.map_or(Form::Lines { exchanges: false }, Form::View)
        };
        Output { form, stop: stop.clone(), closed: None }
    }

    fn greet(&mut self, args: &AisysprojArgs, config: &Config) {
        if let Form::Lines { .. } = self.form {
            let title = words::title(config, &args.agent);
            self.print(&format!("{title} (Ctrl-C stops)\n"));
        }
    }

    fn show(&mut self, event: &Event<'_>) {
        let text = match &mut self.form {
            Form::Json => json::line(event),
            Form::Lines { exchanges } => words::of(event, *exchanges),
            Form::View(view) => {
                view.show(event);
                None
            }
        };
        if let Some(text) = text {
            self.print(&text);
        }
    }

    fn print(&mut self, text: &str) {
        let mut out = anstream::stdout().lock();
        let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        if let Err(error) = written
            && self.closed.is_none()
        {
            self.closed = Some(error);
            self.stop.stop();
        }
    }

    /// Removes the view and prints a summary.
    fn end(&mut self, config: &Config, totals: Option<&Totals>) -> io::Result<()> {
        if let Form::View(view) = &self.form {
            view.close();
        }
        if let Some(totals) = totals {
            match self.form {
                Form::Json => self.print(&json::end(totals)),
                _ => self.print(&format!("{}\n", words::summary(config, totals))),
            }
        }
        self.closed.take().map_or(Ok(()), Err)
    }
}
