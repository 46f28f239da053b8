//! The page of workers on other machines.

use std::sync::Arc;

use agon_arena::fleet::Fleet;

use crate::common::tournaments::store_many;
use crate::common::workers::{Post, fleet, hostile, run, worker};
use crate::driver::Setup;
use crate::harness::Visit;
use crate::keyboard::tab_to;
use crate::phone::fits;

/// Markup that would leave a trace.
const EVIL: &str = "<img src=x onerror=window.ran=1><script>window.ran=1</script>";

/// A visit to a server that sees what this post sees, and has a tournament `cup`.
pub fn visit_to(setup: Setup, post: &Arc<Post>) -> Visit {
    let visit = Visit::with(setup, |folder| store_many(folder, "cup", 4, 12));
    visit.stop_server();
    visit.start_server_with(|options| options.lookout = Some(post.clone()));
    visit
}

#[test]
fn workers_and_runs_are_shown_and_followed() {
    let post = Post::new(fleet());
    let visit = visit_to(Setup::default(), &post);
    visit.open("/");
    visit.click("header a[href='/workers']");
    visit.arrive("workers");
    visit.says("[data-part=total]", "3 workers");
    visit.says("[data-part=total]", "12 slots");
    visit.says("[data-part=total]", "14,400 games an hour");
    for words in ["1.0.0-0123abcd", "4 games of cup, for 12\u{a0}s", "15.5 GiB", "1.25", "sandbox"]
    {
        visit.says("[data-worker='lab-07']", words);
    }
    visit.says("[data-worker='lab-08']", "leaving");
    visit.says("[data-worker^='lab-09']", "Leaves the games of cup to others: it is build 0.9.0");
    for words in ["2,100 of 4,000 games", "64 waiting", "2 workers", "about 16 min left", "pult"] {
        visit.says("[data-run=cup]", words);
    }
    visit.says("[data-run=match]", "2 messages refused");
    visit.says("[data-run=match] .warnings li", "damaged");
    // What changes is changed in place.
    visit.ask("window.row = document.querySelector('[data-worker=lab-07]')");
    let games = agon_arena::fleet::WorkerStatus { games: 1234, ..worker("lab-07", "cup-7") };
    post.see(Fleet { workers: vec![games], runs: vec![run("cup")] });
    visit.says("[data-worker='lab-07']", "1,234");
    visit.gone("[data-worker='lab-08']");
    assert_eq!(visit.ask("row.isConnected"), true);
    // Only what this store has is a link.
    assert_eq!(visit.count("[data-run=cup] h3 a"), 1);
    assert_eq!(visit.count("[data-run=match] h3 a"), 0);
    tab_to(&visit, "[aria-label=Workers].scroll");
    visit.click("[data-run=cup] h3 a");
    visit.arrive("tournament");
    visit.says("h1", "cup");
}

#[test]
fn an_empty_page_says_how_to_begin() {
    let post = Post::new(Fleet::default());
    let visit = visit_to(Setup::default(), &post);
    visit.open("/workers");
    visit.says("main", "Nobody is there");
    visit.says("main", "agon worker --nats URL");
    visit.says("main", "agon tournament run FILE --nats URL");
    post.see(Fleet { workers: vec![worker("lab-07", "")], ..Fleet::default() });
    visit.says("[data-worker='lab-07']", "for 10\u{a0}min");
    visit.says("[data-part=runs]", "Nothing is played now");
    post.see(Fleet { runs: vec![run("cup")], ..Fleet::default() });
    visit.says("[data-part=workers]", "No worker is there");
    visit.says("[data-part=workers]", "agon worker --nats URL");
}

#[test]
fn a_broker_that_goes_away_and_comes_back_is_noticed() {
    let post = Post::new(fleet());
    let visit = visit_to(Setup::default(), &post);
    visit.excuse("the server responded with a status of 503");
    visit.open("/workers");
    visit.says("[data-part=total]", "3 workers");
    post.lose();
    visit.says("[data-part=away]", "The broker at nats://broker:4222 cannot be reached");
    visit.says("[data-part=away]", "What is below was seen at");
    visit.says("[data-part=total]", "3 workers");
    assert_eq!(visit.ask("document.querySelector('[data-banner]').hidden"), true);
    post.see(Fleet { workers: vec![worker("new", "")], ..Fleet::default() });
    visit.says("[data-part=total]", "1 worker");
    visit.gone("[data-part=away] p");
    // The same for a page that is opened meanwhile.
    post.lose();
    visit.until("the server notices", || {
        (visit.client.get("/api/workers").status == 503).then_some(())
    });
    visit.open("/workers");
    visit.arrive("workers");
    visit.says("[data-part=away]", "cannot be reached");
    assert_eq!(visit.count("table"), 0);
    post.see(fleet());
    visit.says("[data-part=total]", "3 workers");
    visit.gone("[data-part=away] p");
}

#[test]
fn strangers_texts_are_harmless_and_fit() {
    let post = Post::new(hostile(EVIL));
    for phone in [false, true] {
        let visit = visit_to(Setup { phone, ..Setup::default() }, &post);
        visit.open("/workers");
        visit.says("[data-part=workers]", "onerror");
        assert!(visit.ask("window.ran").is_null());
        assert_eq!(visit.count("img[src=x], body script"), 0);
        if phone {
            fits(&visit, "what strangers send");
        }
    }
}

#[test]
fn without_a_broker_there_is_neither_page_nor_link() {
    let visit = Visit::new();
    visit.open("/");
    assert_eq!(visit.ask("document.querySelector('[data-workers]').checkVisibility()"), false);
    visit.open("/workers");
    visit.arrive("lost");
    visit.says("main", "There is no page at /workers");
}
