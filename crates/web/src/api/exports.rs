//! Games and tables to download, as the command line exports them. An export has a connection to the
//! store of its own and is sent while it is read, so that neither games nor memory depend on its size.

use std::io::{self, BufWriter, Write};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

use agon_arena::store::export::{ExportError, Format, export};
use agon_arena::store::{Filter, Series, SeriesKind, Store};
use agon_arena::tournament::summary::TournamentSummary;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::State;
use axum::response::Response;
use hyper::body::Frame;
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;
use utoipa::IntoParams;

use super::download::{CSV, download};
use super::records::Wanted;
use super::{App, Names, Params};
use crate::clients::Client;
use crate::error::{ApiError, Code, ErrorBody};
use crate::limits;
use crate::shares::{Share, Shares};
use crate::view::seats_of;

const JSON: &str = "application/json";

/// How many pieces of an export may wait for the client.
const AHEAD: usize = 4;
/// The size of a piece, in bytes.
const PIECE: usize = 64 << 10;

/// Limits how many exports are made at a time, and for whom.
pub(super) struct Exports(Shares);

impl Default for Exports {
    fn default() -> Exports {
        Exports(Shares::new(limits::EXPORTS))
    }
}

impl Exports {
    /// A place for one more, or a polite refusal.
    fn admit(&self, client: Client) -> Result<Share, ApiError> {
        self.0.take(client).ok_or_else(|| {
            let message = "other exports are being made: try again in a moment";
            ApiError::new(Code::Busy, message)
        })
    }
}

/// The format of an export.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Form {
    /// `pgn`, `jsonl` or `csv`.
    #[serde(default)]
    format: Option<String>,
}

/// The stored games that match, as a file: PGN, JSON lines or CSV.
#[utoipa::path(get, path = "/api/records/export", params(Form, Wanted), responses(
    (status = 200, description = "the games"), (status = "4XX", body = ErrorBody)))]
pub async fn records(
    State(app): State<App>,
    client: Client,
    Params(form): Params<Form>,
    Params(wanted): Params<Wanted>,
) -> Result<Response, ApiError> {
    let format: Format = form.format.as_deref().unwrap_or("pgn").parse().map_err(ApiError::bad)?;
    let find = move |store: &Store| wanted.filter(store);
    stream(&app, client, "games", format, find).await
}

/// A file of a tournament: `games.pgn`, `games.jsonl`, `games.csv`, `standings.csv`,
/// `standings.json`, `crosstable.csv` or `crosstable.json`.
#[utoipa::path(get, path = "/api/tournaments/{name}/{file}",
    params(("name" = String, Path), ("file" = String, Path)), responses(
    (status = 200, description = "the file"), (status = "4XX", body = ErrorBody)))]
pub async fn tournament(
    State(app): State<App>,
    client: Client,
    Names(name, file): Names,
) -> Result<Response, ApiError> {
    // A name of two dots arrives with a space after it, see `segment` of the pages.
    let name = name.trim_end().to_string();
    let unknown = || {
        ApiError::not_found(format!(
            "there is no file {file:?}: expected games.pgn, games.jsonl, games.csv, \
             standings.csv, standings.json, crosstable.csv or crosstable.json"
        ))
    };
    let (what, form) = file.split_once('.').ok_or_else(unknown)?;
    if what == "games" {
        let format: Format = form.parse().map_err(|_| unknown())?;
        let named = name.clone();
        let find = move |store: &Store| Ok(Filter::of(found(store, &named)?.id));
        return stream(&app, client, &name, format, find).await;
    }
    let (kind, write): (_, fn(&TournamentSummary) -> serde_json::Result<String>) =
        match (what, form) {
            ("standings", "csv") => (CSV, |it| Ok(it.standings_csv())),
            ("standings", "json") => (JSON, TournamentSummary::standings_json),
            ("crosstable", "csv") => (CSV, |it| Ok(it.crosstable_csv())),
            ("crosstable", "json") => (JSON, TournamentSummary::crosstable_json),
            _ => return Err(unknown()),
        };
    let (keeper, ending) = (app.hub.keeper.clone(), format!("-{file}"));
    let named = name.clone();
    // Tables are small, and computed as quickly as pages are.
    let made = app.work(move || {
        let store = keeper.fresh().map_err(ApiError::failed)?;
        let series = found(&store, &named)?;
        let summary = TournamentSummary::of(&store, series).map_err(ApiError::failed)?;
        write(&summary).map_err(ApiError::failed)
    });
    let text = made.await?;
    Ok(download(kind, &name, &ending, text))
}

/// The tournament or match with this name.
pub(super) fn found(store: &Store, name: &str) -> Result<Series, ApiError> {
    let find = || match store.find_tournament(name)? {
        Some(series) => Ok(Some(series)),
        None => store.find_named(SeriesKind::Match, name),
    };
    let series = find().map_err(ApiError::failed)?;
    series.ok_or_else(|| ApiError::not_found(format!("there is no tournament {name:?}")))
}

/// Sends games while they are read. The selection is made first, so that a bad one is an answer and
/// not a broken file.
async fn stream(
    app: &App,
    client: Client,
    name: &str,
    format: Format,
    find: impl FnOnce(&Store) -> Result<Filter, ApiError> + Send + 'static,
) -> Result<Response, ApiError> {
    let place = app.exports.admit(client)?;
    let (keeper, catalog) = (app.hub.keeper.clone(), app.catalog().clone());
    let opened = spawn_blocking(move || {
        let store = keeper.fresh().map_err(ApiError::failed)?;
        let filter = find(&store)?;
        Ok::<_, ApiError>((store, filter))
    });
    let (store, filter) = opened.await.map_err(ApiError::failed)??;
    let (pieces, waiting) = mpsc::channel(AHEAD);
    spawn_blocking(move || {
        let _place = place;
        let begun = Instant::now();
        let mut out = BufWriter::with_capacity(PIECE, Pieces { pieces: pieces.clone(), begun });
        let names = |variant: &str| seats_of(&catalog, variant);
        // A client that has left is no error; one that is still there must see that the file is
        // incomplete.
        if let Err(error) = export(&store, &filter, format, &names, &mut out) {
            let error = match error {
                ExportError::Output(error) => error,
                ExportError::Store(error) => io::Error::other(error),
            };
            let _ = pieces.blocking_send(Err(error));
        }
    });
    let kind = match format {
        Format::Pgn => "application/x-chess-pgn; charset=utf-8",
        Format::Jsonl => "application/x-ndjson; charset=utf-8",
        Format::Csv => CSV,
    };
    Ok(download(kind, name, &format!(".{}", format.name()), Body::new(Arriving(waiting))))
}

/// Where an export is written to: the pieces that wait for the client.
struct Pieces {
    pieces: mpsc::Sender<io::Result<Bytes>>,
    begun: Instant,
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.begun.elapsed() > limits::EXPORTING {
            return Err(io::Error::other("the export takes too long"));
        }
        let piece = Ok(Bytes::copy_from_slice(bytes));
        let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
        self.pieces.blocking_send(piece).map_err(gone)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The pieces of an export as a body.
struct Arriving(mpsc::Receiver<io::Result<Bytes>>);

impl HttpBody for Arriving {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        self.0.poll_recv(context).map(|piece| piece.map(|piece| piece.map(Frame::data)))
    }
}
