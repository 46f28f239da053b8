use super::*;
use crate::experiment::{Kind, MeasureKind, Role};

fn reading(text: &str) -> Result<Experiment, FileError> {
    parse(Path::new("study.toml"), text, &Registry::built_in())
}

const TOP: &str = "\
question = \"Why?\"
variant = \"breakthrough:5x5\"
nodes = 100
agents = [\"random\", \"greedy\", \"engine\"]
";

fn read(more: &str) -> Experiment {
    reading(&format!("{TOP}{more}")).unwrap_or_else(|error| panic!("{error}"))
}

/// The meetings of the first comparison by name.
fn meetings(experiment: &Experiment) -> Vec<(&str, &str, Role)> {
    let meetings = experiment.comparisons[0].meetings.iter();
    let named = |agent| experiment.name_of(agent);
    meetings.map(|it| (named(it.agent), named(it.opponent), it.role)).collect()
}

#[test]
fn a_list_is_against_a_baseline_or_all_against_all() {
    let against = read("[[compare]]\nkind = \"list\"\nbaseline = \"greedy\"");
    assert_eq!(
        meetings(&against),
        [("random", "greedy", Role::Baseline), ("engine", "greedy", Role::Baseline)]
    );
    assert_eq!((against.name.as_str(), against.title.as_str()), ("study", "study"));
    assert_eq!((against.comparisons[0].games, against.tests()), (100, 2));
    let one = read(
        "[[compare]]\nkind = \"list\"\nagent = \"engine\"\nagainst = [\"random\", \"engine\"]",
    );
    assert_eq!(meetings(&one), [("engine", "random", Role::Pair)]);
    let all = read("[[compare]]\nkind = \"list\"\nall = true\ngames = 7");
    assert_eq!(all.comparisons[0].kind, Kind::All);
    assert_eq!(all.comparisons[0].games, 8);
    assert_eq!(meetings(&all).len(), 3);
}

#[test]
fn versions_meet_the_baseline_and_the_one_before() {
    let kind = "[[compare]]\nkind = \"evolution\"\nversions = [\"random\", \"greedy\", \"engine\"]";
    assert_eq!(
        meetings(&read(kind)),
        [
            ("greedy", "random", Role::First),
            ("engine", "random", Role::Baseline),
            ("engine", "greedy", Role::Previous),
        ]
    );
    let other = format!(
        "{TOP}\n[[compare]]\nkind = \"evolution\"\nversions = [\"random\", \"greedy\"]\nbaseline = \"engine\""
    );
    assert_eq!(
        meetings(&reading(&other).unwrap()),
        [
            ("random", "engine", Role::Baseline),
            ("greedy", "engine", Role::Baseline),
            ("greedy", "random", Role::Previous),
        ]
    );
}

#[test]
fn an_ablation_turns_things_off_one_by_one() {
    let experiment = read(
        "[[compare]]\nkind = \"ablation\"\nagent = \"engine\"\noff = [\"tt\", \"eval=simple\"]",
    );
    assert_eq!(
        meetings(&experiment),
        [
            ("engine", "engine without tt", Role::Without),
            ("engine", "engine with eval=simple", Role::Without),
        ]
    );
    let texts: Vec<&str> = experiment.agents[3..].iter().map(|it| it.agent.text()).collect();
    assert_eq!(texts, ["engine:tt=off", "engine:eval=simple"]);
}

#[test]
fn a_build_up_adds_one_thing_after_the_other() {
    let experiment = read(
        "[[compare]]\nkind = \"build-up\"\nfrom = \"greedy\"\nsteps = [\n\
         { name = \"plain\", agent = \"mcts\", off = \"all\" },\n\
         { name = \"other\", set = [\"eval=simple\", \"explore=2\"] },\n\"plain\"]",
    );
    let text = |index: usize| experiment.agents[index].agent.text().to_string();
    assert!(text(3).starts_with("mcts:") && text(3).contains("plain=off"), "{}", text(3));
    assert!(text(4).ends_with("eval=simple,explore=2"), "{}", text(4));
    assert!(text(5).contains("plain=on"), "{}", text(5));
    assert_eq!(experiment.name_of(5), "with plain");
    let roles: Vec<Role> = experiment.comparisons[0].meetings.iter().map(|it| it.role).collect();
    assert_eq!(
        roles,
        [Role::First, Role::Baseline, Role::Previous, Role::Baseline, Role::Previous]
    );
}

#[test]
fn budgets_are_each_of_their_own_and_belong_to_the_nearest_table() {
    let experiment = read(
        "openings = \"start\"\n[[compare]]\nkind = \"list\"\nall = true\n\
         per_move = [\"1ms\", \"2ms\"]\ndepth = 3\nvariant = [\"breakthrough:4x4\", \"breakthrough:4x5\"]\n\
         [[measure]]\nkind = \"search\"",
    );
    let paces: Vec<String> = experiment.comparisons[0]
        .terms
        .iter()
        .map(|it| format!("{} {}", it.variant, it.pace))
        .collect();
    assert_eq!(
        paces,
        [
            "breakthrough:4x4 1ms a move",
            "breakthrough:4x4 2ms a move",
            "breakthrough:4x4 depth 3",
            "breakthrough:4x5 1ms a move",
            "breakthrough:4x5 2ms a move",
            "breakthrough:4x5 depth 3",
        ]
    );
    let terms = &experiment.measures[0].terms;
    assert_eq!((terms.len(), terms[0].pace.nodes), (1, Some(100)));
    assert_eq!(experiment.measures[0].agents, [0, 1, 2]);
}

#[test]
fn threads_are_measured_with_agents_of_their_own() {
    let experiment =
        read("[[measure]]\nkind = \"threads\"\nagents = [\"engine\"]\nthreads = [1, 2]");
    let MeasureKind::Threads(groups) = &experiment.measures[0].kind else { panic!() };
    assert_eq!(groups, &[vec![(1, 3), (2, 4)]]);
    assert_eq!(experiment.agents[4].agent.text(), "engine:threads=2");
}

#[test]
fn sequential_tests_share_the_risk_among_all_tests() {
    let experiment = read(
        "[[compare]]\nkind = \"list\"\nbaseline = \"greedy\"\nsprt = \"0,20\"\n\
         [[compare]]\nkind = \"list\"\nall = true",
    );
    assert_eq!(experiment.tests(), 5);
    let [alpha, beta] = experiment.comparisons[0].sprt.unwrap().errors();
    assert!((alpha - 0.01).abs() < 1e-12 && (beta - 0.01).abs() < 1e-12);
    assert!(experiment.comparisons[1].sprt.is_none());
}

#[test]
fn the_author_may_add_to_a_section_or_replace_it() {
    let experiment = read(
        "[[measure]]\nkind = \"search\"\n[text]\nsetup = \" ours \"\n\
         interpretation = { text = \"mine\", replace = true }",
    );
    let given = |part| experiment.paragraphs[&part].clone();
    assert_eq!(given(Part::Setup), Paragraphs { text: "ours".into(), replace: false });
    assert_eq!(given(Part::Interpretation), Paragraphs { text: "mine".into(), replace: true });
}

/// Every mistake is refused with its line, the reason and what would be right.
#[test]
fn mistakes_are_located_and_explained() {
    let list = "[[compare]]\nkind = \"list\"\n";
    for (more, line, expected) in [
        ("", None, "nothing to do: expected [[compare]] or [[measure]]"),
        ("gmaes = 3\n", Some(5), "unknown key \"gmaes\"; did you mean games?"),
        ("[[compare]]\nkind = \"lists\"", Some(6), "unknown kind \"lists\"; did you mean list?"),
        ("[[compare]]\ntitle = \"x\"", Some(5), "kind is missing, such as kind = \"list\""),
        (list, Some(5), "baseline is missing, such as baseline = \"minimax\", all = true"),
        (
            &format!("{list}baseline = \"gready\""),
            Some(7),
            "no agent called \"gready\"; did you mean greedy?",
        ),
        (&format!("{list}baseline = \"greedy\"\nall = true"), Some(8), "not both"),
        (
            &format!("{list}agent = \"engine\"\nagainst = [\"random\"]\nall = true"),
            Some(9),
            "all says it again",
        ),
        (&format!("{list}all = true\nversions = []"), Some(8), "unknown key \"versions\""),
        (
            &format!("{list}all = true\nvariant = \"brekthrough:5x5\""),
            Some(8),
            "did you mean breakthrough",
        ),
        (
            &format!("{list}all = true\nvariant = [\"fauhalma:star2\", \"fauhalma:star3\"]"),
            Some(8),
            "is for 3 players",
        ),
        (&format!("{list}all = true\nper_move = \"soon\""), Some(8), "bad time"),
        (&format!("{list}all = true\ndepth = 0"), Some(8), "expected a depth from 1 to 1000"),
        (
            &format!("{list}all = true\ngames = 0"),
            Some(8),
            "expected the games of a meeting from 1",
        ),
        (&format!("{list}all = true\nsprt = \"20,0\""), Some(8), "smaller than the second"),
        (
            &format!(
                "{list}all = true\nsprt = \"0,20\"\nvariant = \"fauhalma:star3\"\nagents = [\"random\", \"greedy\"]"
            ),
            Some(8),
            "for two players",
        ),
        (&format!("{list}all = true\nopenings = \"random:x\""), Some(8), "expected random:N"),
        (
            "[[compare]]\nkind = \"ablation\"\nagent = \"engine\"\noff = [\"tt\", \"ttt\"]",
            Some(8),
            "engine has no switch \"ttt\"; did you mean tt?",
        ),
        (
            "[[compare]]\nkind = \"ablation\"\nagent = \"engine\"\noff = [\"eval=best\"]",
            Some(8),
            "there is no evaluation \"best\"",
        ),
        (
            "[[compare]]\nkind = \"build-up\"\nfrom = \"greedy\"\nsteps = [{ name = \"x\", agent = \"mctss\" }]",
            Some(8),
            "did you mean mcts?",
        ),
        (
            "[[compare]]\nkind = \"build-up\"\nfrom = \"greedy\"\nsteps = [{ agent = \"mcts\" }]",
            Some(8),
            "name is missing",
        ),
        (
            "[[compare]]\nkind = \"build-up\"\nfrom = \"engine\"\nsteps = [{ name = \"greedy\", off = [\"tt\"] }]",
            Some(8),
            "another agent called \"greedy\" already",
        ),
        (
            "[[measure]]\nkind = \"search\"\npositions = 0",
            Some(7),
            "expected positions from 1 to 1000",
        ),
        (
            "[[measure]]\nkind = \"threads\"\nagents = [\"greedy\"]",
            Some(5),
            "greedy has no option for threads",
        ),
        (
            "[[measure]]\nkind = \"solve\"\nvariant = \"fauhalma:star3\"",
            Some(7),
            "only games for two players",
        ),
        ("[text]\nresluts = \"x\"", Some(6), "did you mean results?"),
        ("title = \"unclosed", Some(5), ""),
    ] {
        let error = reading(&format!("{TOP}{more}")).expect_err(more);
        let text = error.to_string();
        assert!(text.contains(expected), "{more}: {text}");
        assert_eq!(error.line(), line.or(Some(1)), "{more}: {text}");
    }
    let nobody = reading(
        "variant = \"breakthrough:5x5\"\n[[compare]]\nkind = \"list\"\nbaseline = \"greedy\"",
    );
    let text = nobody.unwrap_err().to_string();
    assert!(text.contains("agents = [\"greedy\"] at the top declares it"), "{text}");
}
