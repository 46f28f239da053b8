//! Stands in where there is no Linux: no cell can be made.

use std::convert::Infallible;
use std::io;
use std::net::TcpStream;
use std::os::fd::RawFd;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use crate::{CgroupPowers, Level, Order, Refusal, Report, Unavailable, Want};

const REASON: &str = "isolate programs: only Linux can";

/// There are no cells here.
pub fn set_launcher(_: impl Into<PathBuf>) {}

/// There are no control groups here.
pub fn use_cgroups(_: bool) {}

/// There are no control groups here.
pub fn cgroup_powers() -> CgroupPowers {
    CgroupPowers::default()
}

/// There is nothing to be prompt for.
pub fn be_prompt() {}

/// There is no Landlock here.
pub fn use_landlock(_: u8) {}

/// There is no Landlock here.
pub fn newest_landlock() -> u8 {
    0
}

/// Programs cannot be bound to cores here.
pub fn usable_cores() -> Vec<usize> {
    Vec::new()
}

/// Only [`Level::None`] is available.
pub fn try_level(level: Level) -> Result<(), Unavailable> {
    match level {
        Level::None => Ok(()),
        _ => Err(Unavailable { reason: format!("cannot {REASON}"), remedy: None }),
    }
}

/// A cell, of which there are none.
#[derive(Debug)]
pub struct Cell(Infallible);

#[allow(missing_docs)]
impl Cell {
    pub fn prepare() -> Result<(Cell, Command, KeptOpen), Refusal> {
        Err(Refusal { step: REASON.into(), errno: 0 })
    }

    pub fn confine(&mut self, _: u64, _: u64) {}

    pub fn begin(&self, _: u32) {}

    pub fn killed_for_memory(&self) -> Option<Want> {
        match self.0 {}
    }

    pub fn order(&self, _: &Order) -> Result<(), Refusal> {
        match self.0 {}
    }

    pub fn report(&self, _: Instant) -> Option<Report> {
        match self.0 {}
    }

    pub fn freeze(&self, _: bool) -> bool {
        match self.0 {}
    }

    pub fn thaw(&self) {}

    pub fn dial(&self, _: u16, _: Instant) -> io::Result<TcpStream> {
        match self.0 {}
    }
}

/// The cell's end of a connection.
#[derive(Debug)]
pub struct KeptOpen(Infallible);

#[allow(missing_docs)]
impl KeptOpen {
    pub fn file(&self) -> RawFd {
        match self.0 {}
    }

    pub fn inherit(_: RawFd) -> io::Result<()> {
        Ok(())
    }
}
