//! The pages of the lab: experiments and their reports.

use std::path::Path;

use crate::common::lab::{note, note_unreadable, run_small, text};
use crate::driver::Setup;
use crate::harness::Visit;

/// A name with everything that means something in an address or in markup.
const ODD: &str = "<i>100%</i> #1/2?";

/// A finished experiment, one that has not begun, and one that cannot be read.
pub fn experiments(folder: &Path) {
    run_small(folder, "small", 4);
    note(folder, ODD, &text(ODD, 8).replace("title = \"Small <b>boards</b>\"\n", ""));
    note(folder, "..", &text("..", 8));
    note_unreadable(folder);
}

/// The addresses of the lab's pages.
pub const PATHS: [&str; 4] =
    ["/lab", "/lab/small", "/lab/%3Ci%3E100%25%3C%2Fi%3E%20%231%2F2%3F", "/lab/gone"];

/// The heading of the report in its frame, once it has its height.
const HEADING: &str = "(() => {
    const frame = document.querySelector('[data-report] iframe:not(.loading)');
    const report = frame?.contentDocument;
    return frame && frame.clientHeight > 500 && report?.querySelector('h1')?.textContent;
})()";

#[test]
fn from_the_list_to_a_report_and_its_files() {
    let visit = Visit::with(Setup::default(), experiments);
    visit.open("/");
    visit.click("header a[href='/lab']");
    visit.arrive("lab");
    assert_eq!(visit.count("[data-experiment]"), 4);
    visit.says("[data-experiment=small]", "Small <b>boards</b>");
    visit.says("[data-experiment=small]", "complete");
    visit.says("[data-experiment=small]", "4 games");
    visit.says("[data-experiment=gone]", "no-such-agent");
    visit.click("[data-experiment=small] a");
    visit.arrive("experiment");
    visit.says("h1", "Small <b>boards</b>");
    visit.says("main", "On boards this small.");
    assert_eq!(visit.wait("the report", HEADING), "Small <b>boards</b>");
    // The frame is as high as the report, and links in it move the page.
    let high = "(() => {
        const frame = document.querySelector('[data-report] iframe');
        return Math.abs(frame.clientHeight - frame.contentDocument.documentElement.scrollHeight) < 2;
    })()";
    visit.wait("the frame fits", high);
    visit.ask(
        "document.querySelector('iframe').contentDocument.querySelector('a[href=\"#results\"]').click()",
    );
    visit.wait("the page has moved", "scrollY > 500");
    let theme =
        "document.querySelector('iframe').contentDocument.documentElement.style.colorScheme";
    let before = visit.ask(theme);
    visit.click("[data-action=theme]");
    assert_ne!(visit.ask(theme), before, "the report has the colours of the page");
    // A link to a file gives the file.
    let games =
        visit.ask("document.querySelector('[data-file=\"games.csv\"]').getAttribute('href')");
    let games = visit.client.get(games.as_str().expect("an address"));
    assert_eq!((games.status, games.text.lines().count()), (200, 5));
    visit.click("[data-part=downloads] summary");
    assert!(visit.count("[data-part=downloads] [data-file$='.json']") > 2);
}

#[test]
fn progress_is_shown_while_an_experiment_runs() {
    let visit = Visit::new();
    visit.open("/lab");
    visit.arrive("lab");
    visit.says("main", "No experiments yet");
    visit.says("main", "agon lab run study.toml");
    visit.click("[data-sample=list] summary");
    visit.says("[data-sample=list] pre", "[[compare]]");
    run_small(visit.folder(), "small", 2);
    visit.says("[data-experiment=small]", "2 games");
    visit.click("[data-experiment=small] a");
    visit.wait("the report", HEADING);
    visit.ask("(window.frame = document.querySelector('iframe'), scrollTo(0, 400))");
    run_small(visit.folder(), "small", 6);
    visit.says("[data-progress]", "6 games");
    visit.says("[data-news]", "new results");
    assert_eq!(visit.ask("frame.isConnected"), true, "nothing changes under the reader");
    visit.click("[data-action=refresh]");
    visit.wait("another report", "!frame.isConnected");
    visit.gone("[data-action=refresh]");
    assert_eq!(visit.ask("scrollY"), 400, "the page stays where it was");
}

#[test]
fn any_experiment_has_a_page() {
    let visit = Visit::with(Setup::default(), experiments);
    visit.excuse("the server responded with a status of 404");
    visit.open("/lab");
    visit.click("[data-experiment^='<i>'] a");
    visit.arrive("experiment");
    assert_eq!(visit.text("h1"), ODD);
    // Results are found by what was played, whatever the experiment is called.
    visit.says("[data-progress]", "4 of 8 games");
    assert_eq!(visit.wait("the report", HEADING), ODD);
    visit.open("/lab");
    visit.click("[data-experiment='..'] a");
    visit.arrive("experiment");
    visit.open("/lab/gone");
    visit.says("[data-progress]", "no-such-agent");
    assert_eq!((visit.count("iframe"), visit.count("[data-file='experiment.toml']")), (0, 1));
    visit.open("/lab/nobody");
    visit.arrive("lost");
    visit.says("main", "there is no experiment");
}
