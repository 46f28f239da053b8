//! The result of a fit: as text, as JSON and as the file that the game reads.

use std::fmt::Write as _;
use std::io::Write;
use std::time::Duration;

use agon_search::tune::regression::{Change, Fit};
use agon_search::tune::{Material, Subject};
use serde::Serialize;

use crate::args::TuneArgs;
use crate::draw::palette::{BOLD, DIM, HEADING};
use crate::draw::styled;
use crate::output::{print_json, thousands};

/// A fit and its inputs.
pub(super) struct Report<'a> {
    pub(super) args: &'a TuneArgs,
    pub(super) subject: &'a Subject,
    pub(super) material: &'a Material,
    pub(super) fit: &'a Fit,
    pub(super) time: Duration,
}

#[derive(Serialize)]
struct TuneJson {
    variants: Vec<String>,
    command: String,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    plies: u64,
    positions: usize,
    features: Vec<FeatureJson>,
    scale: ChangeJson,
    loss: ChangeJson,
    held_back: Option<ChangeJson>,
    steps: u32,
    anchored: bool,
    seconds: f64,
}

#[derive(Serialize)]
struct FeatureJson {
    name: &'static str,
    old: i32,
    new: i32,
    /// The number of positions in which it occurs.
    positions: u64,
}

#[derive(Serialize)]
struct ChangeJson {
    before: f64,
    after: f64,
}

impl From<Change> for ChangeJson {
    fn from(Change { before, after }: Change) -> Self {
        ChangeJson { before, after }
    }
}

impl Report<'_> {
    fn features(&self) -> Vec<FeatureJson> {
        let seen = self.material.samples.occurrences(self.subject.features.len());
        let weights = self.subject.weights.iter().zip(&self.fit.weights);
        let rows = self.subject.features.iter().zip(weights).zip(seen);
        let feature =
            |((&name, (&old, &new)), positions)| FeatureJson { name, old, new, positions };
        rows.map(feature).collect()
    }

    /// The weights as the game reads them.
    pub(super) fn weights_file(&self) -> String {
        let mut text = format!("# {}\n", self.args.command());
        let Change { before, after } = self.fit.held_back.unwrap_or(self.fit.loss);
        let games = thousands(self.material.tallies.games);
        let positions = thousands(self.material.samples.len() as u64);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "# {games} games, {positions} positions; loss {before:.5} before, {after:.5} after"
        );
        for FeatureJson { name, new, .. } in self.features() {
            let _ = writeln!(text, "{name} {new}");
        }
        text
    }

    /// Prints one JSON object.
    pub(super) fn print_json(&self) -> anyhow::Result<()> {
        let tallies = self.material.tallies;
        print_json(&TuneJson {
            variants: self.subject.variants.iter().map(ToString::to_string).collect(),
            command: self.args.command(),
            games: tallies.games,
            wins: tallies.wins,
            draws: tallies.draws,
            losses: tallies.losses,
            plies: tallies.plies,
            positions: self.material.samples.len(),
            features: self.features(),
            scale: self.fit.scale.into(),
            loss: self.fit.loss.into(),
            held_back: self.fit.held_back.map(ChangeJson::from),
            steps: self.fit.steps,
            anchored: self.fit.anchored,
            seconds: self.time.as_secs_f64(),
        })?;
        Ok(())
    }

    /// Writes a table of the weights and the facts below it.
    pub(super) fn write_table(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let variants: Vec<String> = self.subject.variants.iter().map(ToString::to_string).collect();
        let positions = self.material.samples.len() as u64;
        writeln!(
            out,
            "{}  {} games, {} positions in {:.1} s\n",
            styled(HEADING, &variants.join(" ")),
            thousands(self.material.tallies.games),
            thousands(positions),
            self.time.as_secs_f64(),
        )?;
        let features = self.features();
        let width = features.iter().map(|feature| feature.name.len()).max().unwrap_or(0).max(7);
        let header = format!(
            "{:<width$} {:>8} {:>8} {:>8} {:>8}",
            "feature", "old", "new", "change", "seen"
        );
        writeln!(out, "{}", styled(BOLD, &header))?;
        for FeatureJson { name, old, new, positions: seen } in features {
            let share = 100.0 * seen as f64 / positions.max(1) as f64;
            let change = if new == old { String::new() } else { format!("{:+}", new - old) };
            writeln!(out, "{name:<width$} {old:>8} {new:>8} {change:>8} {share:>6.1} %")?;
        }
        writeln!(out)?;
        for (label, text) in self.facts() {
            writeln!(out, "{} {text}", styled(BOLD, &format!("{label:<9}")))?;
        }
        if !self.fit.anchored {
            let note = "The games contradict the first feature, so its weight was not kept.";
            writeln!(out, "{}", styled(DIM, note))?;
        }
        Ok(())
    }

    /// Lines below the table.
    fn facts(&self) -> Vec<(&'static str, String)> {
        let tallies = self.material.tallies;
        let loss = |Change { before, after }: Change| format!("{before:.5} → {after:.5}");
        let held_back = self.fit.held_back.map_or("no games".to_string(), loss);
        let Change { before, after } = self.fit.scale;
        let mut facts = vec![(
            "results",
            format!(
                "{} won by the first player, {} drawn, {} lost",
                thousands(tallies.wins),
                thousands(tallies.draws),
                thousands(tallies.losses)
            ),
        )];
        if tallies.plies > 0 {
            let mean = tallies.plies as f64 / tallies.games.max(1) as f64;
            facts.push(("length", format!("{mean:.1} plies")));
        }
        facts.push(("loss", format!("{} after {} steps", loss(self.fit.loss), self.fit.steps)));
        facts.push(("held out", held_back));
        facts.push(("scale", format!("{before:.0} → {after:.0}")));
        facts
    }
}
