//! The pages in a real browser, used by clicks, taps and keys.
//!
//! Needs Chromium and ChromeDriver; `cargo xtask test` installs them.

#[path = "../common/mod.rs"]
mod common;

mod access;
mod analysing;
mod arranging;
mod board;
mod broadcast;
mod connection;
mod contest;
mod driver;
mod entering;
mod forms;
mod games;
mod harness;
mod injection;
mod keyboard;
mod lab;
mod learning;
mod looking;
mod looks;
mod page;
mod phone;
mod placing;
mod records;
mod reviewing;
mod seats;
mod speed;
mod tools;
mod tournaments;
mod watching;
mod workers;
