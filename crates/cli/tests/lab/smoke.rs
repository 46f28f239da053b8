//! The smoke experiment of the repository, from the file to the printed report.

use std::process::Command;

use super::*;
use agon_lab::browser::Browser;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments/smoke.toml");

/// Whether a program can be started.
fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

#[test]
fn the_smoke_experiment_runs_and_its_report_is_printed() {
    let lab = Lab::new();
    let run = lab.done(&["run", FILE]);
    assert!(
        run.out.contains("Three players: results") && run.out.contains("\ncomplete"),
        "{}",
        run.out
    );
    let folder = lab.path("report");
    let out = folder.to_str().unwrap();
    assert!(Browser::find().is_some(), "the tests need Chromium; cargo xtask test installs it");
    let report = lab.done(&["report", FILE, "--output", out, "--latex", "--markdown"]);
    assert!(report.err.is_empty(), "{}", report.err);
    let page = fs::read_to_string(folder.join("report.html")).unwrap();
    for part in [
        "The question",
        "The agents",
        "The setup",
        "Results",
        "What was tried",
        "Interpretation",
        "Appendix",
    ] {
        assert!(page.contains(part), "{part}");
    }
    // Self-contained: no script, nothing loaded from elsewhere.
    for part in ["<script", "src=", "href=\"http", "url("] {
        assert!(!page.contains(part), "{part}");
    }
    assert!(page.contains("show <code>code</code>, &lt;tags&gt;"), "the author's words are text");
    let pdf = fs::read(folder.join("report.pdf")).unwrap();
    let has = |text: &[u8]| pdf.windows(text.len()).any(|it| it == text);
    assert!(pdf.starts_with(b"%PDF") && has(b"/Font"), "text is text");
    assert!(!has(b"/Subtype /Image"), "figures are drawings");
    assert!(fs::read_to_string(folder.join("report.md")).unwrap().contains("| Agent |"));
    numbers::check(&folder);
    compile_latex(&folder.join("latex"));
}

/// The fragments compile where LaTeX is installed.
fn compile_latex(folder: &Path) {
    let text = fs::read_to_string(folder.join("report.tex")).unwrap();
    assert!(text.contains("\\input{tables/results-1}") && folder.join("figures.pdf").exists());
    if !is_there("pdflatex") {
        eprintln!("LaTeX is not installed: the fragments are not compiled");
        return;
    }
    let arguments = ["-interaction=nonstopmode", "-halt-on-error", "report.tex"];
    let output = Command::new("pdflatex").args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn a_program_that_is_no_browser_is_refused() {
    let lab = Lab::new();
    let file = lab.file("small.toml", SMALL);
    lab.done(&["run", &file]);
    let folder = lab.path("out");
    let out = folder.to_str().unwrap();
    let run = lab.lab(&["report", &file, "--output", out, "--browser", "no-such-browser"]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("cannot start no-such-browser"), "{}", run.err);
    // The page and the numbers are there all the same.
    assert!(folder.join("report.html").exists() && folder.join("games.csv").exists());
    lab.done(&["report", &file, "--output", out, "--no-pdf"]);
    assert!(!folder.join("report.pdf").exists());
}
