//! Experiments: one file asks a question, running it gives the evidence, and the report comes out
//! ready to hand in.
//!
//! - [`experiment`]: what an experiment is; [`file`](mod@file) reads it.
//! - [`unit`](mod@unit): the pieces of work it consists of, each named by its contents.
//! - [`run`](mod@run): does what is missing, through the arena and its store; [`measure`] is what
//!   needs no games.
//! - [`results`]: what is in the store, counted; [`claims`] is what may be said about it.
//! - [`report`]: the document, and its forms: HTML, LaTeX, Markdown, CSV and JSON.
//! - [`browser`]: pages printed to PDF.
//!
//! ```no_run
//! use agon_lab::{file, report, run};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let registry = agon_arena::Registry::built_in();
//! let experiment = file::read("smoke.toml".as_ref(), &registry)?;
//! let store = agon_arena::store::Store::open("data".as_ref())?;
//! run::run(&experiment, &store, &run::Setup::here(), &run::here, &Default::default(), &mut |_| {})?;
//! let results = agon_lab::results::read(&experiment, &store)?;
//! println!("{}", report::html::page(&report::write(&experiment, &results)));
//! # Ok(()) }
//! ```

pub mod browser;
pub mod claims;
pub mod experiment;
pub mod file;
pub mod measure;
pub mod overview;
pub mod report;
pub mod results;
pub mod run;
pub mod samples;
pub mod showcase;
pub mod unit;

pub use experiment::Experiment;
