//! What games provide for pages is correct: forms, rules, guidance and threats.

use agon_core::{Rng, Variant};

use crate::form::{Field, FieldKind};
use crate::{Catalog, Example, GAMES, GameInfo, Practice, Table, Threat, open, open_at};

/// The smallest, default and largest value of a field, or all its choices.
fn corners(field: &Field) -> Vec<String> {
    match field.kind {
        FieldKind::Number { min, max, default } => {
            assert!((min..=max).contains(&default), "the default of {}", field.name);
            [min, default, max].iter().map(u32::to_string).collect()
        }
        FieldKind::Seed { default } => [0, default, u32::MAX].iter().map(u32::to_string).collect(),
        FieldKind::Choice { choices } => {
            choices.iter().map(|(value, _)| value.to_string()).collect()
        }
    }
}

/// Every combination of corners of a form's fields, one value per field.
fn combinations(fields: &[Field]) -> Vec<Vec<String>> {
    let Some((first, rest)) = fields.split_first() else { return vec![Vec::new()] };
    let after = combinations(rest);
    let with = |value: String| {
        after
            .iter()
            .map(move |tail| [std::slice::from_ref(&value), tail].concat())
            .collect::<Vec<_>>()
    };
    corners(first).into_iter().flat_map(with).collect()
}

fn canonical(game: &GameInfo<'_>, setup: &str) -> String {
    let variant = Variant::new(game.name, setup);
    let table = open(&variant).unwrap_or_else(|error| panic!("{variant}: {error}"));
    table.variant().to_string()
}

#[test]
fn forms_left_alone_give_the_default_variant() {
    for game in GAMES {
        let setup = game.form.setup(Field::default);
        assert_eq!(canonical(game, &setup), game.variants[0].text);
    }
}

#[test]
fn forms_give_variants_that_open_whatever_is_chosen() {
    for game in GAMES {
        for values in combinations(game.form.fields) {
            let value = |field: &Field| {
                let at = game.form.fields.iter().position(|other| other.name == field.name);
                values[at.expect("a field of the form")].clone()
            };
            let setup = game.form.setup(value);
            assert!(!setup.contains('{'), "{} has a field without a name in it", game.name);
            canonical(game, &setup);
        }
    }
}

#[test]
fn fields_have_names_in_the_template_and_for_people() {
    for game in GAMES {
        for field in game.form.fields {
            let name = format!("{{{}}}", field.name);
            assert_eq!(game.form.template.matches(&name).count(), 1, "{name} of {}", game.name);
            assert!(!field.label.is_empty());
            if let FieldKind::Choice { choices } = field.kind {
                assert!(choices.len() >= 2 && choices.iter().all(|(_, label)| !label.is_empty()));
            }
        }
    }
}

fn examples(game: &GameInfo<'static>) -> impl Iterator<Item = &'static Example<'static>> {
    game.rules.sections.iter().flat_map(|section| section.examples)
}

/// The moves can be played, and they are written as they are printed.
fn assert_legal(table: &dyn Table, moves: &[&str], what: &str) {
    for mv in moves {
        let read = table.read_move(mv).unwrap_or_else(|error| panic!("{what} {error}"));
        assert_eq!(read, *mv, "{what}");
    }
}

#[test]
fn pictures_of_the_rules_show_legal_moves() {
    for example in GAMES.iter().flat_map(examples) {
        let table = example
            .open(&Catalog::built_in())
            .unwrap_or_else(|error| panic!("{}: {error}", example.caption));
        assert_eq!(table.variant().to_string(), example.variant, "{}", example.caption);
        assert_legal(&*table, example.shown, example.caption);
    }
}

#[test]
fn games_are_explained_with_texts_pictures_and_practice() {
    // A game may still be without any.
    for game in GAMES.iter().filter(|game| !game.rules.sections.is_empty()) {
        let (sections, practice) = (game.rules.sections, game.rules.practice);
        let counts = [sections.len(), practice.len(), examples(game).count()];
        let is_enough = (4..=8).contains(&counts[0]) && (2..=4).contains(&counts[1]);
        assert!(
            is_enough && counts[2] >= 3,
            "{}: {counts:?} sections, practice positions and pictures; expected none at all, or 4 to \
             8, 2 to 4 and at least 3",
            game.name
        );
        for section in sections {
            assert!(!section.heading.is_empty() && !section.text.is_empty(), "{}", game.name);
            assert!(section.text.iter().all(|text| text.ends_with('.')), "{}", section.heading);
        }
        let captions = examples(game).map(|example| example.caption);
        let tasks = practice.iter().map(|practice| practice.task);
        assert!(captions.chain(tasks).all(|text| text.ends_with('.')), "{}", game.name);
        let variants = examples(game).map(|example| example.variant);
        for text in variants.chain(practice.iter().map(|practice| practice.variant)) {
            let variant: Variant = text.parse().expect("a variant");
            assert_eq!(variant.game(), game.name);
        }
    }
}

/// The moves with which the player to move wins at once.
fn winning_moves(practice: &Practice<'_>) -> Vec<String> {
    let table = practice.open(&Catalog::built_in()).expect("a position");
    let mover = table.status().to_move().expect("a game that goes on");
    let wins = |mv: &String| {
        let mut table = practice.open(&Catalog::built_in()).expect("a position");
        table.play(mv).expect("a legal move");
        table.outcome().is_some_and(|outcome| outcome.points()[mover] == 100)
    };
    table.moves().into_iter().filter(wins).collect()
}

#[test]
fn practice_can_be_solved_and_no_winning_move_is_called_wrong() {
    for practice in GAMES.iter().flat_map(|game| game.rules.practice) {
        let table = practice.open(&Catalog::built_in());
        let table = table.unwrap_or_else(|error| panic!("{}: {error}", practice.task));
        assert_eq!(table.variant().to_string(), practice.variant, "{}", practice.task);
        assert!(table.moves().iter().any(|mv| practice.accepts(mv)), "{}", practice.task);
        assert_legal(&*table, practice.goal, practice.task);
        for mv in winning_moves(practice) {
            assert!(practice.accepts(&mv), "{mv} wins: {}", practice.task);
        }
    }
}

/// The threats of a position in words: `d4c3 takes c3`, `a2a1 wins`.
pub(crate) fn threats(table: &dyn Table) -> Vec<String> {
    let cells = table.scene().cells;
    let describe = |Threat { text, trace, wins }: Threat| {
        let taken = trace.removes.iter().map(|&cell| cells[cell].name.as_str());
        let takes = (!trace.removes.is_empty()).then_some("takes");
        let words: Vec<&str> =
            takes.into_iter().chain(taken).chain(wins.then_some("wins")).collect();
        format!("{text} {}", words.join(" "))
    };
    table.threats().into_iter().map(describe).collect()
}

/// A threat takes something or wins. What it takes stands on the board and belongs to the player to
/// move, and who takes it does not.
fn check_threats(table: &dyn Table) -> usize {
    let (scene, mover) = (table.scene(), table.status().to_move());
    let owner = |cell: usize| scene.pieces.iter().find(|p| p.cell == cell).map(|piece| piece.owner);
    let threats = table.threats();
    for Threat { text, trace, wins } in &threats {
        let what = format!("{text} in {}", table.position());
        assert!(mover.is_some() && (*wins || !trace.removes.is_empty()), "{what}");
        assert!(trace.removes.iter().all(|&cell| owner(cell) == mover), "{what}");
        let from = trace.routes.first().and_then(|route| route.first()).copied();
        let supplier = |letter| scene.supplies.iter().find(|s| s.letter == letter).map(|s| s.owner);
        let attacker = from.and_then(owner).or_else(|| trace.places.and_then(supplier));
        let attacker = attacker.unwrap_or_else(|| panic!("nobody plays {what}"));
        assert!(Some(attacker) != mover, "{what}");
    }
    threats.len()
}

#[test]
fn threats_are_to_pieces_of_the_player_to_move_and_guidance_ends_with_the_game() {
    let mut rng = Rng::new(0x7EA7);
    for game in GAMES {
        let (mut threats, mut captures) = (0, 0);
        for variant in game.variants {
            let mut table = open(&variant.text.parse().unwrap()).unwrap();
            while let Some(mv) = table.random_move(&mut rng) {
                let found = check_threats(&*table);
                assert!(found == 0 || table.has_threats(), "threats in {}", game.name);
                threats += found;
                captures += table.trace(&mv).unwrap().removes.len();
                assert!(table.guide().is_none_or(|text| text.ends_with('.')));
                table.play(&mv).unwrap();
            }
            assert_eq!(check_threats(&*table), 0, "threats in a finished game");
            assert_eq!(table.guide(), None);
        }
        let table = open(&game.variants[0].text.parse().unwrap()).unwrap();
        assert!(threats > 0 || captures == 0 || !table.has_threats(), "threats in {}", game.name);
    }
}

#[test]
fn a_move_that_ends_the_game_is_a_threat_in_every_game() {
    let home = r#"[[-3,6],[-3,5],[-2,5],[-3,4],[-2,4],[-1,3]]"#;
    let two = format!(r#"{{"A":{home},"B":[[3,3],[2,3],[3,2],[1,3],[2,2],[3,1]],"turn":"B"}}"#);
    let three = format!(
        r#"{{"A":{home},"B":[[0,-1],[0,-2],[1,-1],[1,0],[2,-1],[2,0]],
            "C":[[-6,3],[-5,3],[-5,2],[-4,3],[-4,2],[-4,1]],"turn":"B"}}"#
    );
    let positions = [
        ("breakthrough:5x5", "pppp1/5/5/p2PP/3PP w", vec!["a2a1 wins"]),
        ("breakthrough:5x5,classic", "pppp1/5/5/p2PP/3PP w", vec!["a2a1 wins", "a2b1 wins"]),
        ("congo", "3l3/7/7/7/7/7/3L2P w 0", vec!["d7d1 takes d1 wins"]),
        ("wumpus:3", "W2/1h1/3 agent 0", vec!["2,2-1,1 takes 1,1 wins"]),
        ("fenix", "8/8/8/3K4/3s4/8/7k 30 0 w 00", vec!["d3d5xd4 takes d4 wins"]),
        ("connect4:7x6", "7/7/7/7/1XX4/XOOO3 x", vec!["5 wins"]),
        ("fauhalma:star2", &two, vec!["[[-1,3],[-1,4]] wins"]),
        ("fauhalma:star3", &three, vec!["[[-1,3],[-1,4]] wins"]),
    ];
    for (variant, position, expected) in &positions {
        let variant = variant.parse().unwrap();
        let table = open_at::<&str>(&variant, Some(position), &[]).unwrap();
        assert_eq!(threats(&*table), *expected, "{variant}, {position}");
    }
    for game in GAMES {
        let named = |variant: &str| variant.split(':').next() == Some(game.name);
        let is_shown = positions.iter().any(|(variant, ..)| named(variant));
        let table = open(&game.variants[0].text.parse().unwrap()).unwrap();
        assert_eq!(table.has_threats(), is_shown, "{}", game.name);
    }
}
