//! The same game on a page, in the terminal and in the arena has the same result.

use std::time::Duration;

use agon_arena::clock::Pace;
use agon_arena::cores::Cores;
use agon_arena::fixture::{Fixture, Terms};
use agon_arena::guests::Guests;
use agon_arena::player::{Breach, NoAnswer};
use agon_arena::remote::{Outside, OutsideKind, Question, Remote, Reply, Settings};
use agon_arena::session::TableSession;
use agon_arena::store::{Filter, Store, StoredGame};
use agon_arena::venue;
use agon_arena::verdict::Fault;
use agon_arena::{Openings, Registry};
use agon_core::{PerSeat, Rng, Seat, Variant};
use agon_games::{Catalog, open, open_at};
use agon_search::spec::{AgentInfo, Manner};
use agon_search::{AgentError, StopFlag};
use agon_web::clients::Client;
use agon_web::keeper::Keeper;
use agon_web::live::{Details, Document, Holder, Hub, Watch};
use agon_web::pool::Pool;
use agon_web::rivals::{Programs, Rivals, Secret};
use proptest::prelude::*;

use super::agents::{Agent, Player};
use super::game::Game;

/// `script:SEED`: a program whose answers depend only on its seed and the moves so far. Now and
/// then it is late, resigns, answers nonsense or plays an illegal move.
#[derive(Clone, Debug)]
struct Script {
    seed: u64,
    variant: Option<Variant>,
}

impl OutsideKind for Script {
    fn info(&self) -> AgentInfo {
        AgentInfo {
            name: "script",
            about: "follows a script",
            seats: &[2, 3],
            options: &[],
            manner: Manner::Anytime,
        }
    }

    fn outside(&self, command: &str, _: &Settings) -> Result<Box<dyn Outside>, AgentError> {
        let seed = command.parse().map_err(|_| AgentError::new(command, "expected a seed"))?;
        Ok(Box::new(Script { seed, variant: None }))
    }
}

impl Outside for Script {
    fn check(&self, _: &Variant) -> Result<(), String> {
        Ok(())
    }

    fn start(&self, variant: &Variant) -> Result<Box<dyn Remote>, NoAnswer> {
        Ok(Box::new(Script { variant: Some(variant.clone()), ..self.clone() }))
    }
}

impl Remote for Script {
    fn new_game(&mut self, _: Seat) -> Result<(), NoAnswer> {
        Ok(())
    }

    fn ask(&mut self, question: &Question<'_>) -> Result<Reply, NoAnswer> {
        let ply = question.moves.len() as u64;
        let mut rng = Rng::new(self.seed.wrapping_mul(1_000_003).wrapping_add(ply));
        let table = open_at(self.variant.as_ref().unwrap(), question.start, question.moves);
        let table = table.unwrap();
        let text = match rng.below(120) {
            0 => "resign".to_string(),
            1 => return Err(Breach::new(Fault::Garbled, "what?\nout: hm").into()),
            2 => "z9z9".to_string(),
            _ => table.random_move(&mut rng).unwrap(),
        };
        // On a page no clock runs before the first move.
        let ms = if ply == 0 { 0 } else { rng.below(240) };
        Ok(Reply { nodes: ply, ..Reply::silent(text, Duration::from_millis(ms)) })
    }

    fn last_lines(&self) -> String {
        "\nout: hello".to_string()
    }
}

/// A game without what may differ: the time it ended, the numbers of the players, and what is noted of
/// them where games are stored.
fn comparable(game: StoredGame) -> StoredGame {
    let seats = PerSeat::filled(game.seats.seats(), 0);
    StoredGame { seats, finished_at: 0, resources: None, ..game }
}

fn registry() -> Registry {
    Registry::built_in().with(Script { seed: 0, variant: None })
}

fn in_the_arena(variant: &Variant, agents: &[String], pace: Pace) -> StoredGame {
    let (catalog, openings) = (Catalog::built_in(), Openings::Start);
    let terms = Terms { catalog, variant: variant.clone(), pace, openings };
    let agent = |text: &String| registry().agent(text, &Settings::default()).unwrap();
    let agents: Vec<_> = agents.iter().map(agent).collect();
    let seating: Vec<u16> = (0..agents.len() as u16).collect();
    let seating = PerSeat::from_slice(&seating);
    let fixture = Fixture { number: 0, round: 0, pairing: 0, leg: 0, terms: 0, group: 0, seating };
    let venue = venue::open(&terms, 0, 0).unwrap();
    let guests = &mut Guests::new(&agents);
    let game = venue.play(&fixture, guests, true, None, &StopFlag::default());
    comparable(*game.unwrap().unwrap().stored.unwrap())
}

fn in_the_terminal(variant: &Variant, agents: &[String], pace: Pace) -> StoredGame {
    let table = open(variant).unwrap();
    let seat = |text: &String| {
        let agent = registry().agent(text, &Settings::default()).unwrap();
        Player::Agent(Agent::of(&agent, &*table, pace, 0).unwrap())
    };
    let players = agents.iter().map(seat).collect();
    let engine = registry().agent("random", &Settings::default()).unwrap();
    let adviser = Agent::of(&engine, &*table, pace, 0).unwrap();
    let session = TableSession::at_table(table, pace);
    let mut game = Game { session, players, adviser, save_to: None };
    while let Some(agent) = game.agent_to_move() {
        let heard = agent.answer(&game.session, StopFlag::default());
        game.hear(heard).unwrap();
    }
    comparable(game.session.record().unwrap())
}

/// Through the store and back: the stored record, and what the page gets.
fn on_a_page(variant: &Variant, agents: &[String], pace: Pace) -> [StoredGame; 2] {
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let keeper = Keeper::open(folder.path()).unwrap();
        let secret = Secret::random().unwrap();
        let rivals = Rivals::new(registry(), Programs::WithSecret(secret.clone()), 1);
        rivals.allow("game", Some(secret.reveal()));
        let client = Client::default();
        let cores = Cores::new(2);
        let hub = Hub::new(keeper.clone(), Pool::new(1, &cores), rivals, &cores);
        let seat = |text: &String| Holder::Agent { agent: text.clone() };
        let mut details = Details::new(agents.iter().map(seat).collect(), 0, 0);
        details.watch = Some(Watch { paused: false, delay_ms: 0 });
        let session = TableSession::at_table(open(variant).unwrap(), pace).stored();
        let game =
            hub.create("game".to_string(), Document::new(session, details), client).await.unwrap();
        loop {
            hub.attend(&game, client).await;
            if let Some(shown) = game.playing.lock().await.session.record() {
                let list = |store: &Store| store.list_games(&Filter::default(), 9, 0);
                let mut records = keeper.read(list).await.unwrap();
                assert_eq!(records.len(), 1, "recorded once");
                break [shown, records.remove(0).1].map(comparable);
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn a_game_ends_the_same_wherever_it_is_played(seed in 0..1_000_000u64, which in 0..5usize) {
        let variants =
            ["breakthrough:5x5", "congo", "fenix", "wumpus:3", "fauhalma:star3,limit=30"];
        let variant: Variant = variants[which].parse().unwrap();
        let seats = open(&variant).unwrap().seats() as u64;
        let agents: Vec<String> = (0..seats).map(|seat| format!("script:{}", 4 * seed + seat)).collect();
        let mut pace = Pace::default();
        pace.time.game = "2s+100ms".parse().ok();
        let arena = in_the_arena(&variant, &agents, pace);
        prop_assert_eq!(&in_the_terminal(&variant, &agents, pace), &arena);
        let [page, record] = on_a_page(&variant, &agents, pace);
        prop_assert_eq!(&page, &arena);
        prop_assert_eq!(&record, &arena);
    }
}
