//! One module per command.

pub(crate) mod accounts;
pub(crate) mod aisysproj;
pub(crate) mod analyse;
pub(crate) mod bench;
pub(crate) mod book;
pub(crate) mod check;
pub(crate) mod congo;
pub(crate) mod export;
pub(crate) mod games;
pub(crate) mod ggp;
pub(crate) mod isolation;
pub(crate) mod lab;
pub(crate) mod manual;
pub(crate) mod matches;
pub(crate) mod moves;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod ratings;
pub(crate) mod records;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod tables;
pub(crate) mod tournament;
pub(crate) mod tune;
pub(crate) mod ugi;
