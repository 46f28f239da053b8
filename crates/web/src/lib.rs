//! The workbench in the browser: pages to play and watch, and the JSON API behind them.
//!
//! A [`Server`] listens, and keeps its games in the store of a data folder. [`live`] has the games
//! that people play or watch, and has them [alone](occupancy), [`pool`] the threads in which agents think about them. `api` is
//! what can be asked, [`guard`] decides who may ask from where, [`limits`] how much. The pages
//! themselves are plain files in `client/`, part of the program ([`assets`]); they are told
//! positions as drawings ([`view`]) and know no game. Another process shows its own game on them by
//! a [`Broadcast`].

pub mod aisysproj;
mod api;
pub mod assets;
pub mod broadcast;
pub mod error;
pub mod guard;
mod guests;
pub mod keeper;
pub mod limits;
pub mod live;
pub mod occupancy;
pub mod pool;
pub mod rivals;
pub mod server;
pub mod view;

pub use broadcast::{Broadcast, BroadcastError};
pub use occupancy::{OtherServer, page_address};
pub use server::{Options, Server, StartError};
