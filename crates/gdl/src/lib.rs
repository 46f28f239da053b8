//! The Game Description Language, as far as Breakthrough needs it.
//!
//! [`kif`] reads and writes the expressions it is made of; [`prover`] finds out what a rules text
//! says, slowly and within limits; [`breakthrough`] writes the rules of our boards in GDL, and
//! knows Breakthrough when it reads it.

pub mod breakthrough;
pub mod kif;
pub mod prover;
mod rules;
mod terms;

pub use rules::RuleError;
