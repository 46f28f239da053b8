//! What games tell a page is true: forms.

use agon_core::Variant;

use crate::form::{Field, FieldKind};
use crate::{GAMES, GameInfo, open};

/// Smallest, usual and largest values of a field, or all its choices.
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

/// Every combination of corners of a form's fields, one value a field.
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

fn canonical(game: &GameInfo, setup: &str) -> String {
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
