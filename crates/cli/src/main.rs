//! Agon.
fn main() {}
