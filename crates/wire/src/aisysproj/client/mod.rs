//! The agent's side.
