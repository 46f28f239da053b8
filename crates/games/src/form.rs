//! How a person chooses a variant: a few fields, and the setup they add up to.

/// The fields of a game's variants and the template that turns them into a setup.
///
/// ```
/// let game = agon_games::GAMES.iter().find(|game| game.name == "breakthrough").unwrap();
/// let wide = game.form.setup(|field| match field.name {
///     "width" => "10".to_string(),
///     _ => field.default(),
/// });
/// assert_eq!(wide, "10x8");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// The setup with the fields' names in braces, `{width}x{height}`; empty if there is nothing
    /// to choose.
    pub template: &'static str,
    /// The fields in the order people fill them in.
    pub fields: &'static [Field],
}

/// One choice.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The name in the template.
    pub name: &'static str,
    /// The label shown to people.
    pub label: &'static str,
    /// What can be chosen.
    pub kind: FieldKind,
}

/// What can be chosen in a field.
#[derive(Clone, Copy, Debug)]
pub enum FieldKind {
    /// A number.
    Number {
        /// The smallest.
        min: u32,
        /// The largest.
        max: u32,
        /// The default.
        default: u32,
    },
    /// A random seed: the same number always gives the same board.
    Seed {
        /// The default.
        default: u32,
    },
    /// One of a few.
    Choice {
        /// Pairs of the text in the setup and the text shown to people. The first is the default.
        choices: &'static [(&'static str, &'static str)],
    },
}

impl Form {
    /// There is nothing to choose.
    pub const NONE: Form = Form { template: "", fields: &[] };

    /// The setup with these values in the fields.
    pub fn setup(&self, value: impl Fn(&Field) -> String) -> String {
        let fill = |text: String, field: &Field| {
            text.replace(&format!("{{{}}}", field.name), &value(field))
        };
        self.fields.iter().fold(self.template.to_string(), fill)
    }
}

impl Field {
    /// The default value, as written in the setup.
    pub fn default(&self) -> String {
        match self.kind {
            FieldKind::Number { default, .. } | FieldKind::Seed { default } => default.to_string(),
            FieldKind::Choice { choices } => {
                choices.first().map(|(value, _)| value.to_string()).unwrap_or_default()
            }
        }
    }
}
