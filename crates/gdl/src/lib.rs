//! The Game Description Language, as far as Breakthrough needs it.
//!
//! [`kif`] reads and writes its expressions; [`prover`] evaluates a rules text, slowly and within
//! limits; [`breakthrough`] writes the rules of our boards in GDL and recognises Breakthrough in
//! other texts.

pub mod breakthrough;
pub mod kif;
pub mod prover;
mod rules;
mod terms;

pub use rules::RuleError;
