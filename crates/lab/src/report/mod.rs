//! The report of an experiment: a document made from stored results alone, and its forms.
//!
//! [`write()`] makes the document: sections with paragraphs, tables and figures. What is said about
//! results comes from [`claims`] and nowhere else. [`html`], [`latex`], [`markdown`] and [`data`] are
//! its forms; [`files`] writes them.

pub mod data;
mod figures;
pub mod files;
pub mod html;
pub mod latex;
pub mod markdown;
mod parts;
pub mod table;

use std::collections::BTreeSet;

use crate::claims::{self, Test};
use crate::experiment::{Experiment, Part};
use crate::results::Results;
use crate::unit::Build;
pub use table::{Cell, Column, ColumnKind, Table};

/// A report.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Its title.
    pub title: String,
    /// Who hands it in.
    pub author: Option<String>,
    /// What is missing, if the experiment is not complete.
    pub missing: Option<String>,
    /// The sections, none of them empty.
    pub sections: Vec<Section>,
}

/// A section.
#[derive(Clone, PartialEq, Debug)]
pub struct Section {
    /// Which.
    pub part: Part,
    /// What it consists of.
    pub blocks: Vec<Block>,
}

/// A piece of a section.
#[derive(Clone, PartialEq, Debug)]
pub enum Block {
    /// A heading below that of the section.
    Heading(String),
    /// A paragraph.
    Paragraph(String),
    /// A paragraph of the file's author.
    Author(String),
    /// A list.
    List(Vec<String>),
    /// A table.
    Table(Table),
    /// A figure.
    Figure(Figure),
    /// A game with boards.
    Game(GameExcerpt),
}

/// A drawing with its caption.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure {
    /// Its name in files and links.
    pub id: String,
    /// What it shows.
    pub caption: String,
    /// The drawing.
    pub svg: String,
}

/// A game with some of its positions.
#[derive(Clone, PartialEq, Debug)]
pub struct GameExcerpt {
    /// Who played, and how it ended.
    pub title: String,
    /// The moves, with remarks.
    pub moves: String,
    /// Boards, each with a caption.
    pub boards: Vec<(String, String)>,
    /// What the game's own evaluation says, move by move.
    pub curve: Option<Figure>,
}

/// Everything the parts of a report are made from.
struct Material<'a> {
    experiment: &'a Experiment,
    results: &'a Results,
    /// The tests, by the index of their unit.
    tests: Vec<Option<Test>>,
    /// The builds that made the results, by game.
    builds: Vec<(String, Build)>,
}

impl Material<'_> {
    /// Whether results for one game are from several builds.
    fn has_mixed_builds(&self) -> bool {
        let games: BTreeSet<&String> = self.builds.iter().map(|(game, _)| game).collect();
        games.len() < self.builds.len()
    }

    /// The build of a row, where they differ.
    fn build_cell(&self, build: &Build) -> Cell {
        if self.has_mixed_builds() { Cell::Code(build.to_string()) } else { Cell::Empty }
    }
}

/// Writes the report.
pub fn write(experiment: &Experiment, results: &Results) -> Report {
    let tests = claims::tests(experiment, results);
    let builds = results.builds(experiment);
    let material = Material { experiment, results, tests, builds };
    let section = |part: Part| {
        let given = experiment.paragraphs.get(&part);
        let mut blocks: Vec<Block> = given.map_or_else(Vec::new, |it| authors(&it.text));
        let own = parts::blocks(part, &material);
        match given {
            Some(given) if given.replace => blocks.extend(without_words(own)),
            _ => blocks.extend(own),
        }
        Section { part, blocks }
    };
    let sections = Part::ALL.map(section).into_iter().filter(|it| !it.blocks.is_empty());
    Report {
        title: experiment.title.clone(),
        author: experiment.author.clone(),
        missing: results.missing(),
        sections: sections.collect(),
    }
}

/// Tables, figures and games without what is said about them, and headings of those that are left.
fn without_words(blocks: Vec<Block>) -> Vec<Block> {
    let is_word = |block: &Block| matches!(block, Block::Paragraph(_) | Block::List(_));
    let mut kept: Vec<Block> = Vec::new();
    for block in blocks.into_iter().filter(|block| !is_word(block)) {
        let follows_heading = matches!(kept.last(), Some(Block::Heading(_)));
        if follows_heading && matches!(block, Block::Heading(_)) {
            kept.pop();
        }
        kept.push(block);
    }
    kept.pop_if(|last| matches!(last, Block::Heading(_)));
    kept
}

/// The author's paragraphs.
fn authors(text: &str) -> Vec<Block> {
    paragraphs(text).map(Block::Author).collect()
}

/// The paragraphs of a text, which are separated by empty lines.
fn paragraphs(text: &str) -> impl Iterator<Item = String> {
    let joined = |it: &str| it.split_whitespace().collect::<Vec<_>>().join(" ");
    text.split("\n\n").map(joined).filter(|it| !it.is_empty())
}

impl Report {
    /// All blocks, in order.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.sections.iter().flat_map(|section| &section.blocks)
    }

    /// All tables, in order.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.blocks().filter_map(|block| match block {
            Block::Table(table) => Some(table),
            _ => None,
        })
    }

    /// All figures, in order.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        self.blocks().filter_map(|block| match block {
            Block::Figure(figure) => Some(figure),
            Block::Game(game) => game.curve.as_ref(),
            _ => None,
        })
    }
}
