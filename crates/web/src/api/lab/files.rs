//! What there is to download of an experiment.

use std::sync::Arc;

use agon_lab::report::{data, markdown};
use agon_lab::samples::SAMPLES;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;

use super::super::answers::{knows, sent, tag, unchanged};
use super::super::download::{CSV, disposition, download};
use super::super::{App, Name, Names};
use super::print;
use super::shelf::Study;
use crate::error::{ApiError, ErrorBody};

/// A report has styles of its own and no scripts, and our page shows it in a frame. That page may
/// measure it, so that it is as high as its contents.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin";

/// A file of an experiment: `report.html`, `report.pdf`, `report.md`, `games.csv`, `searches.csv` or
/// `experiment.toml`.
#[utoipa::path(get, path = "/api/lab/{name}/{file}",
    params(("name" = String, Path), ("file" = String, Path)), responses(
    (status = 200, description = "the file"), (status = 304, description = "nothing new"),
    (status = "4XX", body = ErrorBody)))]
pub async fn file(
    State(app): State<App>,
    Names(name, file): Names,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let (entry, study) = app.study(&name).await?;
    let name = &entry.stored.name;
    // This one is there even if it cannot be read any more.
    if file == "experiment.toml" {
        let text = entry.stored.text.clone();
        return Ok(download("application/toml", name, ".toml", text));
    }
    let study = study.ok_or_else(|| {
        ApiError::not_found(format!("{name:?} has no report: its file cannot be read any more"))
    })?;
    match file.as_str() {
        "report.html" => page(&app, name, study, &headers).await,
        "report.pdf" => {
            Ok(download("application/pdf", name, ".pdf", print::pdf(&app, study).await?))
        }
        "report.md" => {
            let text = made(&app, study, |it| markdown::text(&it.report)).await?;
            Ok(download("text/markdown; charset=utf-8", name, ".md", text))
        }
        "games.csv" => {
            let games = |it: &Study| data::games_csv(&it.experiment, &it.results);
            Ok(download(CSV, name, "-games.csv", made(&app, study, games).await?))
        }
        "searches.csv" => {
            let searches = |it: &Study| data::searches_csv(&it.experiment, &it.results);
            Ok(download(CSV, name, "-searches.csv", made(&app, study, searches).await?))
        }
        other => Err(ApiError::not_found(format!(
            "there is no file {other:?}: expected report.html, report.pdf, report.md, games.csv, \
             searches.csv or experiment.toml"
        ))),
    }
}

/// A table of an experiment's report: its id, and `.csv` or `.json`.
#[utoipa::path(get, path = "/api/lab/{name}/tables/{file}",
    params(("name" = String, Path), ("file" = String, Path)), responses(
    (status = 200, description = "the table"), (status = "4XX", body = ErrorBody)))]
pub async fn table(State(app): State<App>, Names(name, file): Names) -> Result<Response, ApiError> {
    let (entry, study) = app.study(&name).await?;
    let missing = || {
        let hint = "/api/lab/NAME lists the tables, each of which ends in .csv or .json";
        ApiError::not_found(format!("there is no table {file:?}; {hint}"))
    };
    let (id, form) = file.rsplit_once('.').ok_or_else(missing)?;
    let table = study.as_ref().and_then(|it| it.report.tables().find(|table| table.id == id));
    let table = table.ok_or_else(missing)?;
    let ending = format!("-{file}");
    match form {
        "csv" => Ok(download(CSV, &entry.stored.name, &ending, data::csv(table))),
        "json" => {
            let text = serde_json::to_vec_pretty(&data::json(table)).map_err(ApiError::failed)?;
            Ok(download("application/json", &entry.stored.name, &ending, text))
        }
        _ => Err(missing()),
    }
}

/// A figure of an experiment's report: its id, and `.svg`.
#[utoipa::path(get, path = "/api/lab/{name}/figures/{file}",
    params(("name" = String, Path), ("file" = String, Path)), responses(
    (status = 200, description = "the figure"), (status = "4XX", body = ErrorBody)))]
pub async fn figure(
    State(app): State<App>,
    Names(name, file): Names,
) -> Result<Response, ApiError> {
    let (entry, study) = app.study(&name).await?;
    let missing = || {
        let hint = "/api/lab/NAME lists the figures, each of which ends in .svg";
        ApiError::not_found(format!("there is no figure {file:?}; {hint}"))
    };
    let id = file.strip_suffix(".svg").ok_or_else(missing)?;
    let figure = study.as_ref().and_then(|it| it.report.figures().find(|figure| figure.id == id));
    let svg = agon_plot::standalone(&figure.ok_or_else(missing)?.svg);
    Ok(download("image/svg+xml", &entry.stored.name, &format!("-{file}"), svg))
}

/// An example of an experiment file: its kind, and `.toml`.
#[utoipa::path(get, path = "/api/lab-samples/{file}", params(("file" = String, Path)), responses(
    (status = 200, description = "the file"), (status = "4XX", body = ErrorBody)))]
pub async fn sample(Name(file): Name) -> Result<Response, ApiError> {
    let kind = file.strip_suffix(".toml");
    let sample = SAMPLES.iter().find(|sample| Some(sample.kind) == kind);
    let sample = sample.ok_or_else(|| {
        ApiError::not_found(format!("there is no example {file:?}; /api/lab-samples lists them"))
    })?;
    Ok(download("application/toml", sample.kind, ".toml", sample.text))
}

/// The report as a page, which is shown and not saved.
async fn page(
    app: &App,
    name: &str,
    study: Arc<Study>,
    headers: &HeaderMap,
) -> Result<Response, ApiError> {
    let text: Bytes = made(app, study, |it| it.page().to_string()).await?.into();
    let tag = tag(&text);
    let mut response = match knows(headers, &tag) {
        true => unchanged(&tag),
        false => sent(&tag, text),
    };
    let own = response.headers_mut();
    own.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    own.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    own.insert(CONTENT_DISPOSITION, disposition("inline", name, ".html"));
    Ok(response)
}

/// A text that takes a while to write.
async fn made(
    app: &App,
    study: Arc<Study>,
    make: impl FnOnce(&Study) -> String + Send + 'static,
) -> Result<String, ApiError> {
    app.work(move || Ok(make(&study))).await
}
