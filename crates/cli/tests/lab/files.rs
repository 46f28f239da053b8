//! Files of experiments: refused, changed, unfinished; examples; lists.

use super::*;

#[test]
fn a_bad_file_is_refused_with_its_line_before_anything_runs() {
    let lab = Lab::new();
    let file =
        lab.file("bad.toml", &SMALL.replace("baseline = \"greedy\"", "baseline = \"gredy\""));
    for command in ["run", "status", "report"] {
        let run = lab.lab(&[command, &file]);
        assert_eq!(run.code, 2, "{command}: {}", run.err);
        assert!(
            run.err.contains("bad.toml, line 9: there is no agent called \"gredy\""),
            "{}",
            run.err
        );
        assert!(
            run.err.contains("did you mean greedy?") && run.err.contains("^^^^^^^"),
            "{}",
            run.err
        );
    }
    assert!(!lab.path("data").exists(), "nothing has run");
    let run = lab.lab(&["run", "no-such.toml"]);
    assert!(run.code == 2 && run.err.contains("cannot read the experiment"), "{}", run.err);
}

#[test]
fn only_what_a_change_touches_is_run_again() {
    let lab = Lab::new();
    let file = lab.file("study.toml", SMALL);
    assert!(lab.done(&["run", &file]).err.contains("40 games and 0 measurements"));
    let again = lab.done(&["run", &file]);
    assert!(again.err.contains("found 40 games"), "{}", again.err);
    let before = lab.status(&file);
    // Another agent in the place of one of them.
    let changed = lab.file("study.toml", &SMALL.replace("\"engine\"", "\"engine:tt=off\""));
    let run = lab.done(&["run", &changed]);
    assert!(run.err.contains("found 20 games"), "{}", run.err);
    // More games continue where fewer ended, whatever the experiment is called.
    let longer = lab.file("longer.toml", &SMALL.replace("games = 20", "games = 30"));
    let unfinished = lab.status(&longer);
    assert_eq!(unfinished["complete"], false);
    assert_eq!(unfinished["missing"], "20 games of meetings that have begun");
    let rows = |status: &Value| status["tables"][0]["rows"].clone();
    let counts = |status: &Value| -> Vec<Value> {
        rows(status).as_array().unwrap().iter().map(|row| row["wins"].clone()).collect()
    };
    assert_eq!(counts(&unfinished), counts(&before), "nothing is counted twice");
    assert!(lab.done(&["run", &longer]).err.contains("found 40 games"));
    assert_eq!(lab.status(&longer)["complete"], true);
    // The shorter one still counts its own games only.
    let file = lab.file("study.toml", SMALL);
    assert_eq!(without_times(&lab.status(&file)), without_times(&before));
}

#[test]
fn a_report_of_an_unfinished_experiment_says_what_is_missing() {
    let lab = Lab::new();
    let file = lab.file("study.toml", SMALL);
    lab.done(&["run", &file]);
    let more =
        format!("{}\n[[measure]]\nkind = \"search\"\n", SMALL.replace("games = 20", "games = 24"));
    let file = lab
        .file("more.toml", &more.replace("\"random\", ", "\"random\", \"mcts:iterations=10\", "));
    let folder = lab.path("out");
    let run = lab.done(&["report", &file, "--output", folder.to_str().unwrap(), "--no-pdf"]);
    let missing = "8 games of meetings that have begun, 1 whole meeting, 4 measurements";
    assert!(run.err.contains(missing), "{}", run.err);
    let page = fs::read_to_string(folder.join("report.html")).unwrap();
    assert!(
        page.contains(missing) && page.contains("Nothing of this has been measured yet"),
        "{missing}"
    );
    let games = csv(&folder.join("games.csv"));
    assert_eq!(games.len(), 41);
}

#[test]
fn examples_are_written_and_never_over_a_file() {
    let lab = Lab::new();
    for kind in ["list", "evolution", "ablation", "build-up", "measure"] {
        let path = lab.path(&format!("{kind}.toml"));
        let file = path.to_str().unwrap();
        lab.done(&["new", kind, file]);
        assert!(lab.done(&["run", file, "--dry-run"]).err.contains(" games and "));
        assert_eq!(lab.done(&["new", kind]).out, fs::read_to_string(&path).unwrap());
        let again = lab.lab(&["new", kind, file]);
        assert!(again.code == 2 && again.err.contains("exists already"), "{}", again.err);
    }
    let run = lab.lab(&["new", "ablations"]);
    assert!(run.code == 2 && run.err.contains("did you mean ablation?"), "{}", run.err);
}

#[test]
fn experiments_are_listed_and_found_by_name() {
    let lab = Lab::new();
    let file = lab.file("study.toml", &format!("name = \"My study\"\n{SMALL}"));
    lab.done(&["run", &file]);
    let listed: Value = serde_json::from_str(&lab.done(&["list", "--json"]).out).unwrap();
    assert_eq!(listed[0]["name"], "My study");
    assert_eq!((&listed[0]["games"], &listed[0]["complete"]), (&40.into(), &true.into()));
    fs::remove_file(&file).unwrap();
    assert_eq!(lab.status("My study")["complete"], true);
    let run = lab.lab(&["status", "My studi"]);
    assert!(run.code == 2 && run.err.contains("did you mean My study?"), "{}", run.err);
    assert!(lab.done(&["list"]).out.contains("complete"));
}
