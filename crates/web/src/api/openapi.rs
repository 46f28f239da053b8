//! The description of the API, generated from the code.

use axum::Json;
use utoipa::OpenApi;
use utoipa::openapi::OpenApi as Description;

use super::{
    acts, analyse, analyses, arrange, catalog, contest, exports, games, hints, lab, live,
    positions, records, reviews, rules, sequels, tournaments, workers,
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Agon",
        description = "Play, watch and replay games. Seats and cells are numbered from 0. \
            Errors are {\"error\":{\"code\",\"message\"}} with a status of 400 or more; nothing was \
            changed then. Requests that change something are JSON, from this server's pages or from \
            programs; pages of other origins are refused. Seats may have owners: then requests that \
            act for a seat need its token in the header x-agon-seat."
    ),
    paths(
        catalog::server,
        catalog::catalog,
        rules::rules,
        positions::position,
        positions::threats,
        arrange::arrange,
        analyse::analyse,
        analyses::create,
        analyses::show,
        analyses::change,
        analyses::delete,
        analyses::read,
        analyses::text,
        reviews::create,
        reviews::show,
        reviews::cancel,
        games::list,
        games::create,
        games::show,
        games::delete,
        acts::play,
        acts::undo,
        acts::resign,
        acts::draw,
        acts::watch,
        hints::hint,
        sequels::rematch,
        sequels::branch,
        live::live,
        records::of_game,
        records::list,
        records::choices,
        exports::records,
        exports::tournament,
        records::show,
        tournaments::list,
        tournaments::show,
        tournaments::create,
        tournaments::delete,
        tournaments::file,
        tournaments::amend,
        tournaments::pause,
        tournaments::resume,
        tournaments::plan,
        workers::list,
        lab::list,
        lab::experiment,
        lab::file,
        lab::table,
        lab::figure,
        lab::samples,
        lab::sample,
        contest::list,
        contest::environment,
        contest::agent,
        contest::run,
        contest::results,
        contest::results_of,
    )
)]
struct Api;

/// The description of this API.
pub async fn description() -> Json<Description> {
    Json(Api::openapi())
}
