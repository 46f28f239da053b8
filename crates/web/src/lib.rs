//! The workbench in the browser: pages to play and watch, and the JSON API behind them.
//!
//! A [`Server`] listens and keeps its games in the store of a data folder. [`live`] holds the games
//! that people play or watch, [`occupancy`] makes sure that no other server has them, and [`pool`]
//! has the threads in which agents search. `api` has the request handlers, [`guard`] decides which
//! requests are allowed, [`limits`] how large and how many. [`clients`] tells who sends them, and
//! [`shares`] that nobody gets too much. The pages themselves are plain files in
//! `client/`, embedded in the program ([`assets`]); they receive positions as drawings ([`view`])
//! and know no game. Another process shows its own game on them through a [`Broadcast`].

pub mod aisysproj;
mod api;
pub mod assets;
pub mod broadcast;
pub mod clients;
pub mod error;
pub mod guard;
mod host;
pub mod keeper;
pub mod limits;
pub mod live;
pub mod occupancy;
mod pace;
pub mod pool;
pub mod rivals;
pub mod server;
pub mod shares;
mod turns;
pub mod view;

pub use broadcast::{Broadcast, BroadcastError};
pub use occupancy::{OtherServer, page_address};
pub use server::{Options, Server, StartError};
