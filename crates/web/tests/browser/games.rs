//! Whole games played by clicks, one of each game.

use agon_games::Table;
use agon_search::{Budget, adviser};
use serde_json::Value;

use crate::harness::Visit;
use crate::page::PERSON;

/// Chooses the moves to click.
struct Mind {
    table: Box<dyn Table>,
    agent: &'static str,
}

impl Mind {
    fn new(game: &Value, agent: &'static str) -> Mind {
        let variant = game["position"]["variant"].as_str().unwrap_or_default();
        let variant = variant.parse().expect("the server knows its variants");
        Mind { table: agon_games::open(&variant).expect("the variant exists"), agent }
    }

    /// The move to make in a game, as the server lists it.
    fn choose<'a>(&mut self, game: &'a Value) -> &'a Value {
        let played = game["played"].as_array().expect("a list of moves");
        for mv in &played[self.table.played().len()..] {
            let text = mv["text"].as_str().unwrap_or_default();
            self.table.play(text).expect("the server plays by the rules");
        }
        let spec = self.agent.parse().expect("an agent's text");
        let mut adviser = adviser(&*self.table, &spec, 7).expect("an agent for this game");
        let choice = adviser.choose(&*self.table, &Budget::default(), &mut |_| {});
        let text = choice.expect("the game goes on").mv;
        let moves = game["position"]["moves"].as_array().expect("a list of moves");
        moves.iter().find(|mv| mv["text"] == text.as_str()).expect("the server knows the move")
    }
}

/// Plays a game against random moves to its end, by clicks. Returns the result in words.
fn play_out(visit: &Visit, variant: &str, agent: &'static str, rivals: usize) -> String {
    let mut seats = vec![PERSON];
    seats.extend(vec!["random"; rivals]);
    let id = visit.sit_down(variant, None, &seats);
    let mut mind = Mind::new(&visit.truth(&id), agent);
    while visit.ready() {
        let game = visit.truth(&id);
        let ply = visit.ply();
        assert_eq!(game["played"].as_array().map(Vec::len), Some(ply), "the page shows every move");
        let mv = mind.choose(&game);
        visit.enter(mv, &game["position"]["scene"]);
        visit.until("the move is in the list", || (visit.ply() > ply).then_some(()));
    }
    let game = visit.truth(&id);
    let sentence = game["position"]["outcome"]["sentence"].as_str().unwrap_or_default();
    let words = visit.text("[data-result]");
    assert!(!sentence.is_empty() && words.contains(sentence), "{words:?} tells {sentence:?}");
    // The server's random moves vary, so even a good player may lose to them once in a while: what
    // the page must get right is who won.
    let places = &game["position"]["outcome"]["places"];
    let verdict = match (places[0].as_u64(), places[1].as_u64()) {
        (Some(1), Some(1)) => "A draw",
        (Some(1), _) => "You won",
        _ => "You lost",
    };
    assert!(rivals > 1 || words.starts_with(verdict), "{words:?} begins with {verdict:?}");
    visit.says("[data-announce]", &format!(". {sentence}"));
    assert_eq!(visit.starts(), [""; 0], "nothing can be moved any more");
    assert_eq!(visit.count(".can-place"), 0, "and nothing be placed");
    words
}

#[test]
fn breakthrough_is_played_to_its_end() {
    let visit = Visit::new();
    play_out(&visit, "breakthrough:5x5", "ordered:depth=4", 1);
}

#[test]
fn congo_is_played_to_its_end() {
    let visit = Visit::new();
    let words = play_out(&visit, "congo", "ordered:depth=3", 1);
    assert!(words.contains("lion") || words.contains("draw"), "{words}");
}

#[test]
fn fenix_is_set_up_and_played_to_its_end() {
    let visit = Visit::new();
    play_out(&visit, "fenix", "ordered:depth=3", 1);
}

#[test]
fn wumpus_with_pits_is_played_to_its_end() {
    let visit = Visit::new();
    play_out(&visit, "wumpus:6", "ordered:depth=4", 1);
}

#[test]
fn fauhalma_for_three_is_played_to_its_end() {
    let visit = Visit::new();
    let words = play_out(&visit, "fauhalma:star3,limit=6", "greedy", 2);
    assert!(words.contains("place") || words.contains("draw"), "{words}");
}

#[test]
fn connect_four_is_played_to_its_end() {
    let visit = Visit::new();
    let words = play_out(&visit, "connect4", "ordered:depth=4", 1);
    assert!(words.contains("four in a row") || words.contains("full"), "{words}");
}
