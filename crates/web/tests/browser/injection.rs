//! Foreign texts are shown as text, never run as markup or script.

use serde_json::json;

use crate::harness::Visit;
use crate::page::PERSON;

/// Leaves a trace on the page if any part of it runs or becomes an element.
const EVIL: &str =
    "<img src=x onerror=window.ran=1><svg onload=window.ran=1>\"'><script>window.ran=1</script>";

/// No part of it ran or became an element.
fn is_harmless(visit: &Visit) {
    assert_eq!(visit.ask("window.ran"), json!(null));
    assert_eq!(visit.count("img[src=x], body script"), 0);
}

#[test]
fn an_evil_agent_is_shown_as_text() {
    let visit = Visit::new();
    visit.excuse("the server responded with a status of 4");
    visit.open("/new?game=congo");
    visit.click("[data-seat='1'] input[value=text]");
    visit.fill("[data-seat='1'] [data-field=agent]", EVIL);
    visit.click("[data-action=start]");
    visit.says("main", "onerror");
    is_harmless(&visit);
    visit.fill("[data-seat='1'] [data-field=agent]", &format!("random:{EVIL}"));
    visit.click("[data-action=start]");
    visit.says("main", "random");
    is_harmless(&visit);
}

#[test]
fn an_evil_position_is_shown_as_text() {
    let visit = Visit::new();
    visit.excuse("the server responded with a status of 4");
    visit.open("/new?game=congo");
    visit.click("details:has([data-field=position]) summary");
    visit.fill("[data-field=position]", EVIL);
    visit.says("[data-error=position]", "<img");
    is_harmless(&visit);
}

#[test]
fn an_address_with_bad_percent_encoding_is_not_found() {
    let visit = Visit::new();
    for path in ["/play/%FF", "/replay/%E0%A4", "/rules/%C3%28", "/agent/x/%FF", "/nowhere/%FF"] {
        visit.open(path);
        visit.arrive("lost");
        visit.says("main", "There is no page at");
    }
}

#[test]
fn an_evil_address_is_shown_as_text() {
    let visit = Visit::new();
    visit.excuse("the server responded with a status of 4");
    for path in [
        "/play/",
        "/replay/",
        "/rules/",
        "/env/",
        "/agent/x/",
        "/run/x/",
        "/nowhere/",
        "/records?variant=",
        "/new?game=",
    ] {
        visit.open(&format!("{path}%3Cimg%20src=x%20onerror=window.ran=1%3E"));
        is_harmless(&visit);
    }
    visit.says("main", "New game");
}

#[test]
fn the_page_refuses_scripts_that_are_not_its_own() {
    let visit = Visit::new();
    visit.excuse("Content Security Policy");
    visit.sit_down("congo", None, &[PERSON, "random"]);
    visit.ask(
        "(() => {
            const script = document.createElement('script');
            script.textContent = 'window.ran = 1';
            document.body.append(script);
            const picture = document.createElement('img');
            picture.setAttribute('onerror', 'window.ran = 1');
            picture.src = '/client/nothing';
            document.body.append(picture);
        })()",
    );
    visit.excuse("nothing");
    visit.until("the picture failed", || {
        visit
            .ask("performance.getEntriesByName(location.origin + '/client/nothing').length > 0")
            .as_bool()
            .filter(|&tried| tried)
    });
    assert_eq!(visit.ask("window.ran"), json!(null));
}
