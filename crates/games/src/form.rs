//! How a person chooses a variant: a few fields and the text they make.

/// The fields of a game's variants and the setup they are put together to.
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

/// Something to choose.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The name in the template.
    pub name: &'static str,
    /// The name for people.
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
        /// The usual one.
        default: u32,
    },
    /// Any number at all: something is drawn by lot from it, the same for ever.
    Seed {
        /// The usual one.
        default: u32,
    },
    /// One of a few.
    Choice {
        /// What stands in the setup, and what people read. The first is the usual one.
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
    /// The usual value, as it stands in the setup.
    pub fn default(&self) -> String {
        match self.kind {
            FieldKind::Number { default, .. } | FieldKind::Seed { default } => default.to_string(),
            FieldKind::Choice { choices } => {
                choices.first().map(|(value, _)| value.to_string()).unwrap_or_default()
            }
        }
    }
}
