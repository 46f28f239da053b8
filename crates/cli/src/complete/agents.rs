//! The texts of agents: names, then options, then their values.

use std::ffi::{OsStr, OsString};

use agon_arena::registry::Provider;
use agon_search::spec::{AgentInfo, OptionInfo};
use clap_complete::engine::{CompletionCandidate, PathCompleter, ValueCompleter};

use super::{beginning_with, typed_table};

/// The largest range of numbers that is worth listing.
const MOST_NUMBERS: u32 = 16;

/// What continues an agent's text.
pub(super) fn texts(current: &OsStr) -> Vec<CompletionCandidate> {
    let Some(text) = current.to_str() else { return Vec::new() };
    let registry = agon_wire::registry(None);
    let Some((name, rest)) = text.split_once(':') else {
        let kinds = registry.kinds().iter().filter(|(info, _)| plays_here(info));
        return beginning_with(current, kinds.flat_map(|(info, provider)| names(info, provider)));
    };
    let kind = registry.kinds().iter().find(|(info, _)| info.name == name);
    match kind {
        Some((info, Provider::BuiltIn)) => options(info, rest),
        Some((_, Provider::Outside(_))) => {
            let files = PathCompleter::any().complete(OsStr::new(rest));
            files.into_iter().map(|file| file.add_prefix(format!("{name}:"))).collect()
        }
        Some((_, Provider::Person)) | None => Vec::new(),
    }
}

/// Whether an agent is for as many players as the typed variant has.
fn plays_here(info: &AgentInfo) -> bool {
    typed_table().is_none_or(|table| info.seats.contains(&table.seats()))
}

/// An agent alone and with a colon for what may follow; a program always needs what follows.
fn names(info: &AgentInfo, provider: &Provider) -> Vec<(String, &'static str)> {
    let (alone, more) = (info.name.to_string(), format!("{}:", info.name));
    match provider {
        Provider::BuiltIn if info.options.is_empty() => vec![(alone, info.about)],
        Provider::BuiltIn => vec![(alone, info.about), (more, "with options")],
        Provider::Outside(_) => vec![(more, info.about)],
        Provider::Person => Vec::new(),
    }
}

/// The options that are not given yet, or the values of the last one.
fn options(info: &AgentInfo, given: &str) -> Vec<CompletionCandidate> {
    let (done, last) = given.rsplit_once(',').map_or(("", given), |(done, last)| (done, last));
    let comma = if done.is_empty() { "" } else { "," };
    let before = format!("{}:{done}{comma}", info.name);
    let with = |prefix: String, candidates: Vec<CompletionCandidate>| {
        candidates.into_iter().map(|it| it.add_prefix(OsString::from(&prefix))).collect()
    };
    if let Some((name, value)) = last.split_once('=') {
        let option = info.options.iter().find(|option| option.name == name);
        let values = option.map_or(Vec::new(), values);
        let values = beginning_with(OsStr::new(value), values.into_iter().map(|it| (it, "")));
        return with(format!("{before}{name}="), values);
    }
    let is_given = |name: &str| done.split(',').any(|it| it.split('=').next() == Some(name));
    let free = info.options.iter().filter(|option| !is_given(option.name));
    let free = free.map(|option| (format!("{}=", option.name), option.about));
    with(before, beginning_with(OsStr::new(last), free))
}

/// The values of an option, as far as they can be listed.
fn values(option: &OptionInfo) -> Vec<String> {
    if matches!(option.name, "eval" | "h") {
        let table = typed_table();
        let names = table.map_or(Vec::new(), |table| table.evaluations());
        return names.into_iter().map(|(name, _)| name.to_string()).collect();
    }
    let range = option.values.split_once(" to ");
    if let Some((Ok(low), Ok(high))) = range.map(|(low, high)| (low.parse(), high.parse::<u32>())) {
        let few = u32::checked_sub(high, low).is_some_and(|size| size < MOST_NUMBERS);
        return if few { (low..=high).map(|it| it.to_string()).collect() } else { Vec::new() };
    }
    // Words in small letters stand for themselves; others, such as FILE, for something else.
    let is_word =
        |it: &&str| !it.is_empty() && it.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    let words = option.values.split([',', '|']).map(str::trim).filter(is_word);
    words.map(str::to_string).collect()
}
