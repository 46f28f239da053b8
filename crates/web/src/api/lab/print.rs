//! Reports printed to PDF by an installed browser.
//!
//! That starts a program and takes seconds, so only this machine may ask for it, and one report is
//! printed at a time.

use std::fs;
use std::sync::Arc;

use agon_lab::browser::Browser;
use axum::body::Bytes;
use tokio::sync::Mutex;

use super::super::App;
use super::shelf::Study;
use crate::error::{ApiError, Code};

const NO_BROWSER: &str = "PDFs are printed by an installed Chromium, Chrome or Edge, and there is \
    none on this computer. Any browser can print the report as a PDF.";
const NOT_ALONE: &str = "This server prints no PDFs, because other machines can reach it. Your \
    browser can print the report as a PDF.";

/// The PDF that was printed last; locked while another is.
#[derive(Default)]
pub(super) struct Printer(Arc<Mutex<Option<Printed>>>);

/// What was printed, and the PDF.
type Printed = (Arc<Study>, Bytes);

/// Why this server prints no PDF, if it does not.
pub(super) fn why_not(alone: bool) -> Option<&'static str> {
    match alone {
        false => Some(NOT_ALONE),
        true if Browser::find().is_none() => Some(NO_BROWSER),
        true => None,
    }
}

/// The report as a PDF.
pub(super) async fn pdf(app: &App, study: Arc<Study>) -> Result<Bytes, ApiError> {
    let refused = |why: &str| ApiError::new(Code::Forbidden, why);
    if !app.alone {
        return Err(refused(NOT_ALONE));
    }
    let browser = Browser::find().ok_or_else(|| refused(NO_BROWSER))?;
    let mut last = app.lab.printer.0.clone().lock_owned().await;
    if let Some((printed, pdf)) = &*last
        && Arc::ptr_eq(printed, &study)
    {
        return Ok(pdf.clone());
    }
    // Where the client has given up, the next one finds what was printed for it.
    let work = move || {
        let pdf = printed(&browser, study.page())?;
        *last = Some((study, pdf.clone()));
        Ok(pdf)
    };
    app.work(work).await
}

fn printed(browser: &Browser, page: &str) -> Result<Bytes, ApiError> {
    // Nobody else on this machine may read it.
    let folder = tempfile::tempdir().map_err(ApiError::failed)?;
    let [html, pdf] = ["report.html", "report.pdf"].map(|name| folder.path().join(name));
    fs::write(&html, page).map_err(ApiError::failed)?;
    browser.print(&html, &pdf).map_err(ApiError::failed)?;
    Ok(fs::read(&pdf).map_err(ApiError::failed)?.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_machines_cannot_have_anything_printed() {
        assert_eq!(why_not(false), Some(NOT_ALONE));
        assert_eq!(why_not(true), Browser::find().is_none().then_some(NO_BROWSER));
    }
}
