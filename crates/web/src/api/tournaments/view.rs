//! A tournament as its page gets it.

use agon_arena::estimate::Estimate;
use agon_arena::gallery::{GameNow, NowPlaying};
use agon_arena::store::{GameId, Series};
use agon_arena::tournament::course::Course;
use agon_arena::tournament::summary::TournamentSummary;
use agon_arena::tournament::tables::{Place, tenths};
use agon_arena::tournament::tally::{Counted, Tally};
use agon_core::Seat;
use agon_games::Catalog;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::super::positions::opened;
use crate::view::{LastMoveView, SceneView, Setting, Shared};

/// Up to how many agents there is a crosstable.
const MOST_CROSSED: usize = 64;
/// How many faults, finished games and games in progress are listed.
const MOST_FAULTS: usize = 20;
const MOST_RECENT: usize = 12;
const MOST_PLAYING: usize = 8;
/// How many bytes of the evidence of a fault are sent; its game has all of it.
const MOST_EVIDENCE: usize = 600;

/// A tournament in a list.
#[derive(Serialize, ToSchema)]
pub(crate) struct TournamentEntry {
    /// Its name.
    pub name: String,
    /// `tournament` or `match`.
    pub kind: &'static str,
    /// `round-robin`, `gauntlet`, `swiss`, `contest` or `match`.
    pub format: String,
    /// What is played.
    pub variants: Vec<String>,
    /// How many agents take part.
    pub agents: usize,
    /// How many games are stored.
    pub games: u64,
    /// How many there are; the most there can be where that is not known yet.
    pub planned: u64,
    /// How many games ended with a fault.
    pub faults: u64,
    /// `running`, `paused`, `finished` or `unfinished`.
    pub state: &'static str,
    /// When it began, in milliseconds since 1970.
    pub started_at: i64,
    /// When its last game ended, if it is finished.
    pub finished_at: Option<i64>,
}

/// A tournament, as far as it has been played.
#[derive(Serialize, ToSchema)]
pub(crate) struct TournamentView {
    #[serde(flatten)]
    pub entry: TournamentEntry,
    /// Whether this server plays it, or would if it were resumed.
    pub hosted: bool,
    /// Whether another process plays it, for example one that was started on the command line.
    pub elsewhere: bool,
    /// Whether everybody may change it; else only those who know the server's secret.
    pub open: bool,
    /// Why it does not go on, if it should.
    pub problem: Option<String>,
    /// The clocks and limits.
    pub paces: Vec<String>,
    /// How games begin.
    pub openings: Vec<String>,
    /// Whether its file can be downloaded and changed.
    pub has_file: bool,
    /// When the last game should end, in milliseconds since 1970, at the pace so far.
    pub ends_at: Option<i64>,
    /// Games a minute, at the pace so far.
    pub games_per_minute: Option<f64>,
    #[serde(flatten)]
    #[schema(value_type = TableView)]
    pub table: Shared<TableView>,
    /// The games in progress.
    pub playing: Vec<PlayingView>,
    /// How many there are in all.
    pub playing_in_all: usize,
}

/// Everything that changes only with results.
#[derive(Serialize, ToSchema)]
pub(crate) struct TableView {
    /// The number of players at a table.
    pub seats: usize,
    /// How many rounds have begun.
    pub rounds: u32,
    /// The rule of the ranking.
    pub ranking: &'static str,
    /// Why there are fewer games than planned, or games that were not played.
    pub shortfall: Option<String>,
    /// Games in which a built-in agent waited too long for a core.
    pub disturbed: u64,
    /// The mean length of a game in plies.
    pub mean_plies: f64,
    /// The advantage of the first seat in Elo, in two-player games.
    pub first_seat: Option<EstimateView>,
    /// The agents by rank.
    pub standings: Vec<AgentRow>,
    /// How strength took its course.
    pub course: CourseView,
    /// The last faults, the latest first.
    pub latest_faults: Vec<FaultView>,
    /// The last finished games, the latest first.
    pub latest_games: Vec<GameLine>,
}

/// A value with its 95 % interval.
#[derive(Serialize, ToSchema, Clone, Copy)]
pub(crate) struct EstimateView {
    /// The value.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

/// An agent in the standings.
#[derive(Serialize, ToSchema)]
pub(crate) struct AgentRow {
    /// Its number in the tournament, by which games refer to it.
    pub number: u16,
    /// Its place, as in exports; of very many agents without the scores against each of the others.
    #[serde(flatten)]
    #[schema(value_type = Object)]
    pub place: Place,
    /// Elo, from all games at once.
    pub elo_interval: Option<EstimateView>,
    /// The rating of a contest, with two deviations on either side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating_interval: Option<EstimateView>,
}

/// How strength took its course.
#[derive(Serialize, ToSchema)]
pub(crate) struct CourseView {
    /// Whether the points are after rounds; else after games.
    pub by_round: bool,
    /// Whether the values are ratings of a contest; else Elo.
    pub ratings: bool,
    /// After how many rounds or games.
    pub after: Vec<u64>,
    /// The values of every agent, by rank.
    pub lines: Vec<Vec<Option<f64>>>,
}

/// A game that ended by a fault.
#[derive(Serialize, ToSchema)]
pub(crate) struct FaultView {
    /// The game, as in records.
    pub game: String,
    /// Whose fault it was: its name.
    pub agent: String,
    /// The others.
    pub against: Vec<String>,
    /// What it did, in words.
    pub reason: String,
    /// What was sent and answered, and the program's last lines.
    pub evidence: Option<String>,
    /// When, in milliseconds since 1970.
    pub at: i64,
}

/// A finished game.
#[derive(Serialize, ToSchema)]
pub(crate) struct GameLine {
    /// The game, as in records.
    pub game: String,
    /// The round, from 1.
    pub round: u32,
    /// The variant.
    pub variant: String,
    /// Who played, by seat.
    pub players: Vec<String>,
    /// The points of every seat.
    pub points: Vec<u8>,
    /// Why it ended.
    pub reason: String,
    /// How many moves were made.
    pub plies: u32,
    /// When it ended, in milliseconds since 1970.
    pub at: i64,
}

/// A game in progress.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlayingView {
    /// Its number.
    pub number: u64,
    /// The round, from 1.
    pub round: u32,
    /// The variant.
    pub variant: String,
    /// The names of the seats.
    pub seats: Vec<String>,
    /// Who plays, by seat.
    pub players: Vec<String>,
    /// Whose turn it is.
    pub to_move: Option<usize>,
    /// How many moves were made.
    pub plies: usize,
    /// The time on every clock, in milliseconds, after the last move.
    pub clocks: Vec<Option<u64>>,
    /// What to draw.
    pub scene: SceneView,
    /// The last move.
    pub last: Option<LastMoveView>,
    /// How far to turn the board.
    pub turn: u16,
}

impl From<Estimate> for EstimateView {
    fn from(estimate: Estimate) -> EstimateView {
        let [value, low, high] = [estimate.value, estimate.low, estimate.high].map(tenths);
        EstimateView { value, low, high }
    }
}

impl TableView {
    /// What the results of a tournament say.
    pub(crate) fn new(summary: &TournamentSummary, tally: &Tally, course: &Course) -> TableView {
        let ranking = summary.ranking();
        let names = Names(&summary.series);
        let seats = summary.seats;
        let advantage = || summary.fit.seat_advantage(seats, Seat::FIRST, Seat::SECOND);
        // Games that are played again, or by somebody who joined late, have low numbers and end last.
        let mut recent: Vec<&Counted> = tally.games().collect();
        recent.sort_by_key(|counted| std::cmp::Reverse(counted.finished_at()));
        let faults = recent.iter().filter_map(|it| names.fault(it)).take(MOST_FAULTS);
        let rows = ranking.iter().zip(summary.places());
        TableView {
            seats,
            rounds: summary.rounds,
            ranking: summary.ranking_rule(),
            shortfall: summary.shortfall(),
            disturbed: summary.ledger.disturbed,
            mean_plies: tenths(summary.ledger.mean_plies()),
            first_seat: (seats == 2).then(advantage).flatten().map(EstimateView::from),
            standings: rows.map(|(number, place)| AgentRow::new(summary, *number, place)).collect(),
            course: CourseView::new(course, &ranking, summary.format == "contest"),
            latest_faults: faults.collect(),
            latest_games: recent.iter().take(MOST_RECENT).map(|game| names.line(game)).collect(),
        }
    }
}

impl AgentRow {
    fn new(summary: &TournamentSummary, number: u16, mut place: Place) -> AgentRow {
        if summary.series.entrants.len() > MOST_CROSSED {
            place.against.clear();
        }
        let rating = summary.rating(number).map(|rating| EstimateView {
            value: tenths(rating.value),
            low: tenths(rating.value - 2.0 * rating.deviation),
            high: tenths(rating.value + 2.0 * rating.deviation),
        });
        let elo = summary.fit.elo(number.into()).map(EstimateView::from);
        AgentRow { number, place, elo_interval: elo, rating_interval: rating }
    }
}

impl CourseView {
    fn new(course: &Course, ranking: &[u16], ratings: bool) -> CourseView {
        let line = |agent: &u16| {
            let value = |values: &[Option<f64>]| values.get(usize::from(*agent)).copied().flatten();
            course.points.iter().map(|point| value(&point.values).map(tenths)).collect()
        };
        CourseView {
            by_round: course.by_round,
            ratings,
            after: course.points.iter().map(|point| point.after).collect(),
            lines: ranking.iter().map(line).collect(),
        }
    }
}

/// Knows the names of the entrants.
struct Names<'a>(&'a Series);

impl Names<'_> {
    fn of(&self, agent: u16) -> String {
        let entrant = self.0.entrants.get(usize::from(agent));
        entrant.map_or_else(|| format!("#{agent}"), |entrant| entrant.name.clone())
    }

    fn id(&self, counted: &Counted) -> String {
        GameId { series: self.0.id, number: counted.game.number }.to_string()
    }

    /// A game that was played and ended by a fault.
    fn fault(&self, counted: &Counted) -> Option<FaultView> {
        let game = &counted.game;
        let (offender, fault) = game.offence()?;
        if fault == agon_arena::verdict::Fault::Withdrawn {
            return None;
        }
        let others = game.seating.iter().filter(|(seat, _)| *seat != offender);
        let mut evidence = game.evidence.clone();
        if let Some(text) = &mut evidence
            && text.len() > MOST_EVIDENCE
        {
            text.truncate(text.floor_char_boundary(MOST_EVIDENCE));
            text.push('…');
        }
        Some(FaultView {
            game: self.id(counted),
            agent: self.of(game.seating[offender]),
            against: others.map(|(_, agent)| self.of(*agent)).collect(),
            reason: game.reason.to_string(),
            evidence,
            at: counted.finished_at(),
        })
    }

    fn line(&self, counted: &Counted) -> GameLine {
        let game = &counted.game;
        GameLine {
            game: self.id(counted),
            round: game.round + 1,
            variant: counted.variant.clone(),
            players: game.seating.as_slice().iter().map(|agent| self.of(*agent)).collect(),
            points: game.points.as_slice().to_vec(),
            reason: game.reason.to_string(),
            plies: game.plies,
            at: counted.finished_at(),
        }
    }
}

/// The texts of a plan's terms: variants, clocks, openings; each once.
pub(crate) fn terms_of(plan: &Value) -> [Vec<String>; 3] {
    let terms = plan["terms"].as_array().map_or(&[][..], Vec::as_slice);
    ["variant", "pace", "openings"].map(|key| {
        let mut texts: Vec<String> = Vec::new();
        for text in terms.iter().filter_map(|it| it[key].as_str()) {
            if !text.is_empty() && !texts.iter().any(|known| known == text) {
                texts.push(text.to_string());
            }
        }
        texts
    })
}

/// The games in progress, drawn.
pub(crate) fn games_now(
    catalog: &Catalog,
    series: &Series,
    now: Option<&NowPlaying>,
) -> Vec<PlayingView> {
    let games = now.map_or(&[][..], |now| now.games.as_slice());
    games.iter().take(MOST_PLAYING).filter_map(|game| drawn(catalog, series, game)).collect()
}

fn drawn(catalog: &Catalog, series: &Series, game: &GameNow) -> Option<PlayingView> {
    let mut table = opened(catalog, &game.variant, game.start.as_deref()).ok()?;
    for mv in game.moves.split(' ').filter(|mv| !mv.is_empty()) {
        table.play(mv).ok()?;
    }
    let Setting { about, small_board, .. } = Setting::of(&*table);
    let names = Names(series);
    Some(PlayingView {
        number: game.number,
        round: game.round + 1,
        variant: game.variant.clone(),
        seats: about.seats.clone(),
        players: game.seats.iter().map(|agent| names.of(*agent)).collect(),
        to_move: game.to_move,
        plies: table.played().len(),
        clocks: game.clocks.clone(),
        last: table.last().map(LastMoveView::from),
        turn: about.turns.first().copied().unwrap_or(0),
        scene: SceneView::new(Some(small_board), &*table),
    })
}
