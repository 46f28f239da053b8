//! The arguments of `agon lab`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{ElsewhereArgs, ProgramArgs};

pub(crate) const LAB_EXAMPLES: &str = "\
Examples:
  agon lab new build-up study.toml     a commented example to start from
  agon lab run study.toml              run or resume it
  agon lab status study.toml           the results so far, also while it runs
  agon lab report study.toml           the report as HTML and PDF, with all its numbers
  agon lab list                        all experiments that were run

An experiment is one file: the question, the agents, what is compared, budgets, games and seeds.
Every game and measurement is stored; what was done before by the same program is not done again.";

#[derive(Subcommand, Debug)]
pub(crate) enum LabCommand {
    /// Run or resume an experiment
    Run(LabRunArgs),
    /// Show the results so far
    Status(LabStatusArgs),
    /// Write the report: HTML, PDF, CSV and JSON; on request LaTeX and Markdown
    Report(LabReportArgs),
    /// List the experiments that were run
    List(LabListArgs),
    /// Write a commented example of an experiment
    New(LabNewArgs),
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon lab run study.toml
  agon lab run study.toml --dry-run      check the file, count games and estimate the time
  agon lab run study.toml --concurrency 1
  agon lab run study.toml --replay-disturbed   replay games that a busy machine disturbed

KEYS OF THE FILE
  name, title, author, question          what it is called and what it asks
  agents         texts, or tables with name and agent, as in a tournament
  variant        one or several
  per_move, time, depth, nodes           budgets, each of its own; one or several
  games          games per pairing, for each variant and budget; default 100
  sprt           a sequential test instead, such as \"0,20\"; games is then the maximum
  openings       start, random:N, book:N, balanced or a file; default random:4
  seed           the random seed
  concurrency    games at a time, at most one per core
  [[compare]]    kind = \"list\": agents against a baseline; all = true: all against all;
                 agent and against = […]: one against several
                 kind = \"evolution\": versions in order, and a baseline
                 kind = \"ablation\": an agent, and off = what is turned off one by one
                 kind = \"build-up\": from an agent, steps that are added one by one
                 title, text, rating = true (points over 50 games), and any of the keys from
                 variant to openings for this comparison alone
  [[measure]]    kind = \"search\": agents on the same positions; iterations = true
                 kind = \"threads\": the same with threads = [1, 2]
                 kind = \"solve\": the exact value of the start
  [text]         your own words for a section: question, agents, setup, results, no-help,
                 interpretation, appendix; { text = \"…\", replace = true } replaces it

Results are kept by their contents: agents, variant, budget, openings, seed, the version of the
program and what its searches play. If one agent changes, only its games are played again.")]
pub(crate) struct LabRunArgs {
    /// The experiment's file
    pub(crate) file: PathBuf,

    /// Games at a time, instead of as many as fit
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) concurrency: Option<u32>,

    /// Replay stored games too that were disturbed: in which a built-in agent spent more than a
    /// quarter of its time waiting for a core
    #[arg(long)]
    pub(crate) replay_disturbed: bool,

    #[command(flatten)]
    pub(crate) programs: ProgramArgs,

    #[command(flatten)]
    pub(crate) elsewhere: ElsewhereArgs,

    /// Only check the file and show what would be run
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Print JSON at the end
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon lab status study.toml
  agon lab status study                  by its name in the store
  agon lab status study --json")]
pub(crate) struct LabStatusArgs {
    /// The experiment's file, or its name in the store
    pub(crate) experiment: PathBuf,

    #[command(flatten)]
    pub(crate) programs: ProgramArgs,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon lab report study.toml                      into the folder study-report
  agon lab report study.toml --output hand-in --latex --markdown
  agon lab report study.toml --browser google-chrome
  agon lab report study                           by its name in the store

The report is made from stored results alone; of an unfinished experiment it says what is missing.
It consists of report.html, report.pdf (printed by Chromium, Chrome or Edge), every table as CSV
and JSON in tables/, and every game and search in games.csv and searches.csv.")]
pub(crate) struct LabReportArgs {
    /// The experiment's file, or its name in the store
    pub(crate) experiment: PathBuf,

    /// The folder to write to; by default NAME-report
    #[arg(long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,

    /// Also write LaTeX: booktabs tables, figures as PDF, and a document that includes them
    #[arg(long)]
    pub(crate) latex: bool,

    /// Also write Markdown, with figures as SVG
    #[arg(long)]
    pub(crate) markdown: bool,

    /// The browser that prints the PDF; by default the first one found
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) browser: Option<PathBuf>,

    /// Print no PDF
    #[arg(long, conflicts_with = "browser")]
    pub(crate) no_pdf: bool,

    #[command(flatten)]
    pub(crate) programs: ProgramArgs,
}

#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  agon lab list\n  agon lab list --json")]
pub(crate) struct LabListArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  agon lab new list study.toml
  agon lab new ablation > study.toml

KINDS
  list           agents against a baseline, or all against all
  evolution      versions in order, each against the baseline and the one before
  ablation       an agent, and its switches turned off one by one
  build-up       from a plain agent, one improvement added after the other
  measure        depth, nodes and time on fixed positions, threads, solutions; no games")]
pub(crate) struct LabNewArgs {
    /// list, evolution, ablation, build-up or measure
    pub(crate) kind: String,

    /// The file to write, which must not exist; by default standard output
    pub(crate) file: Option<PathBuf>,
}
