//! Writes a report in all its forms into a folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use agon_arena::files::write_whole;
use serde_json::to_vec_pretty;

use super::{Report, data, html, latex, markdown};
use crate::browser::{Browser, PrintError};
use crate::experiment::Experiment;
use crate::results::Results;

/// Which forms are written besides the page and the numbers.
#[derive(Clone, Copy, Default, Debug)]
pub struct Forms {
    /// LaTeX fragments, with figures as PDF if there is a browser.
    pub latex: bool,
    /// Markdown, with figures as SVG.
    pub markdown: bool,
}

/// Why a report cannot be written.
#[derive(thiserror::Error, Debug)]
pub enum WriteError {
    /// A file cannot be written.
    #[error("cannot write {}: {problem}", file.display())]
    File {
        /// Which.
        file: PathBuf,
        /// Why.
        #[source]
        problem: io::Error,
    },
    /// The browser failed.
    #[error(transparent)]
    Print(#[from] PrintError),
}

/// Writes `report.html`, the numbers as CSV and JSON, and the other forms; with a browser also
/// `report.pdf`. Returns the files that people open.
pub fn write(
    folder: &Path,
    experiment: &Experiment,
    results: &Results,
    report: &Report,
    forms: Forms,
    browser: Option<&Browser>,
) -> Result<Vec<PathBuf>, WriteError> {
    let page = folder.join("report.html");
    put(&page, html::page(report).as_bytes())?;
    let mut written = vec![page.clone()];
    for table in report.tables() {
        let file = folder.join("tables").join(&table.id);
        put(&file.with_extension("csv"), data::csv(table).as_bytes())?;
        let json = to_vec_pretty(&data::json(table)).unwrap_or_default();
        put(&file.with_extension("json"), &json)?;
    }
    if !experiment.comparisons.is_empty() {
        put(&folder.join("games.csv"), data::games_csv(experiment, results).as_bytes())?;
    }
    if !experiment.measures.is_empty() {
        put(&folder.join("searches.csv"), data::searches_csv(experiment, results).as_bytes())?;
    }
    if let Some(browser) = browser {
        let pdf = folder.join("report.pdf");
        browser.print(&page, &pdf)?;
        written.push(pdf);
    }
    if forms.markdown {
        let file = folder.join("report.md");
        put(&file, markdown::text(report).as_bytes())?;
        for figure in report.figures() {
            let file = folder.join("figures").join(format!("{}.svg", figure.id));
            put(&file, agon_plot::standalone(&figure.svg).as_bytes())?;
        }
        written.push(file);
    }
    if forms.latex {
        written.push(write_latex(&folder.join("latex"), report, browser)?);
    }
    Ok(written)
}

fn write_latex(
    folder: &Path,
    report: &Report,
    browser: Option<&Browser>,
) -> Result<PathBuf, WriteError> {
    for table in report.tables() {
        let file = folder.join("tables").join(format!("{}.tex", table.id));
        put(&file, latex::table(table).as_bytes())?;
    }
    if let Some(browser) = browser {
        for (sheet, figure) in (1..).zip(report.figures()) {
            let file = folder.join("figures").join(format!("{}.tex", figure.id));
            put(&file, latex::figure(figure, sheet).as_bytes())?;
        }
        let page = folder.join("figures.html");
        put(&page, html::sheets(report.figures().map(|figure| figure.svg.as_str())).as_bytes())?;
        let printed = browser.print(&page, &folder.join("figures.pdf"));
        // Only the browser reads it.
        let _ = fs::remove_file(&page);
        printed?;
    }
    let file = folder.join("report.tex");
    put(&file, latex::document(report, browser.is_some()).as_bytes())?;
    Ok(file)
}

fn put(file: &Path, contents: &[u8]) -> Result<(), WriteError> {
    let written = match file.parent() {
        Some(folder) => fs::create_dir_all(folder).and_then(|()| write_whole(file, &[contents])),
        None => write_whole(file, &[contents]),
    };
    written.map_err(|problem| WriteError::File { file: file.to_path_buf(), problem })
}
