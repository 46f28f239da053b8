//! The help of all commands, as printed.

mod common;

use common::agon;

/// The maximum width of help texts.
const WIDEST: usize = 100;

/// All commands as paths of subcommands; the first is the program itself.
fn commands() -> Vec<Vec<String>> {
    let mut found = vec![Vec::new()];
    let mut next = 0;
    while let Some(command) = found.get(next).cloned() {
        next += 1;
        let below = subcommands(&help(&command));
        found.extend(below.into_iter().map(|name| [&command[..], &[name]].concat()));
    }
    found
}

fn help(command: &[String]) -> String {
    let words: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
    let run = agon(&words);
    assert_eq!(run.code, 0, "{command:?}: {}", run.err);
    run.out
}

/// The names below "Commands:".
fn subcommands(help: &str) -> Vec<String> {
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| line.is_empty() || line.starts_with("  "));
    let names = listed.filter_map(|line| line.strip_prefix("  "));
    let names = names.filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()));
    let names = names.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(String::from).collect()
}

/// Hard line breaks that were wrapped again leave a stump: a nearly empty line between a full one
/// and the rest of the paragraph.
fn has_stump(lines: &[&str]) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    lines.windows(3).any(|lines| {
        let [before, stump, after] = lines else { return false };
        let same = [before, after].iter().all(|line| indent(line) == indent(stump));
        before.chars().count() > 80
            && !stump.trim().is_empty()
            && stump.trim().chars().count() < 25
            && !stump.trim_end().ends_with(['.', ':', ']'])
            && !after.trim().is_empty()
            && same
    })
}

#[test]
fn the_help_of_all_commands_is_clean() {
    let commands = commands();
    assert!(commands.len() > 40, "{commands:?}");
    for command in commands {
        let text = help(&command);
        let lines: Vec<&str> = text.lines().collect();
        for line in &lines {
            // printf in examples has \n.
            let escaped = line.contains('\\') && !line.contains("printf");
            assert!(!escaped, "a backslash in the help of {command:?}: {line}");
            assert!(line.chars().count() <= WIDEST, "{command:?}: {line}");
        }
        assert!(!has_stump(&lines), "a broken paragraph in the help of {command:?}:\n{text}");
        let global = text.split("Global options:").nth(1).unwrap_or_default();
        for option in ["--color <WHEN>", "--data <DIR>"] {
            assert!(global.contains(option), "{option} in the help of {command:?}");
        }
    }
}

#[test]
fn a_command_without_a_game_speaks_of_no_game_clock() {
    for command in ["analyse", "solve"] {
        let help = help(&[command.to_string()]);
        assert!(help.contains("--time <TIME>"), "{command}");
        assert!(!help.contains("Game clock of each side"), "{help}");
        assert!(!help.contains("Time per move"), "{help}");
    }
}

#[test]
fn the_list_of_games_separates_names_from_descriptions() {
    let games = agon(&["games"]).out;
    let pits = games.lines().find(|line| line.contains("given pits")).unwrap();
    assert!(pits.contains("  given pits"), "{pits}");
}
