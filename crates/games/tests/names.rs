//! No code outside a game's folder names the game, so that a new one needs no change elsewhere.

use std::fs;
use std::path::{Path, PathBuf};

use agon_games::GAMES;

/// Where games may be named: their list, what is named after the game of a course, help texts,
/// drawings of pieces. Each is the beginning of a path.
const ALLOWED: &[&str] = &[
    "crates/games/src/lib.rs",
    "crates/games/src/battery/",
    "crates/gdl/src/breakthrough",
    "crates/gdl/src/lib.rs",
    "crates/wire/src/congo",
    "crates/wire/src/ggp",
    "crates/wire/src/aisysproj",
    "crates/wire/src/lib.rs",
    "crates/cli/src/args",
    "crates/cli/src/main.rs",
    "crates/cli/src/commands/mod.rs",
    "crates/cli/src/commands/congo",
    "crates/cli/src/commands/ggp",
    "crates/cli/src/commands/aisysproj",
    "crates/cli/src/commands/export.rs",
    // Only compiled for tests.
    "crates/cli/src/commands/play/worlds.rs",
    "crates/picture/src/shapes.rs",
    "crates/web/client/board/pieces.js",
];

/// What makes a line an example for people.
const EXAMPLES: &[&str] = &["such as", "example", "variant = \\\""];

/// The source files below a folder, without tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = entry.file_name().unwrap().to_string_lossy().into_owned();
        let is_test = ["tests", "fuzz.rs"].contains(&&*name)
            || name.ends_with("tests.rs")
            || name.ends_with(".test.js");
        if entry.is_dir() && !is_test {
            sources(&entry, found);
        } else if !is_test && (name.ends_with(".rs") || name.ends_with(".js")) {
            found.push(entry);
        }
    }
}

/// The code of a file line by line: without comments, and without the tests at its end.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().take_while(|line| line.trim() != "#[cfg(test)]");
    let is_comment = |line: &str| ["//", "*", "/*"].iter().any(|mark| line.starts_with(mark));
    (1..).zip(lines).filter(move |(_, line)| !is_comment(line.trim_start()))
}

/// Whether a line names a game: as a text, alone or with a setup, or as a module.
fn names(line: &str, game: &str) -> bool {
    let texts = [format!("\"{game}\""), format!("\"{game}:"), format!("mod {game};")];
    let is_path = || {
        line.match_indices(&format!("{game}::"))
            .any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
    };
    texts.iter().any(|text| line.contains(text)) || is_path()
}

#[test]
fn games_are_named_only_in_their_folders() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in
        ["core", "games", "gdl", "picture", "plot", "search", "arena", "lab", "wire", "web", "cli"]
    {
        sources(&root.join("crates").join(folder).join("src"), &mut files);
    }
    sources(&root.join("crates/web/client"), &mut files);
    assert!(files.len() > 300, "{} files", files.len());
    let mut found = Vec::new();
    for file in files {
        let path = file.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        if ALLOWED.iter().any(|allowed| path.starts_with(allowed)) {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        for game in GAMES {
            let own = format!("crates/games/src/{}", game.name);
            if path == format!("{own}.rs") || path.starts_with(&format!("{own}/")) {
                continue;
            }
            let named = code(&text).filter(|(_, line)| names(line, game.name));
            let named = named.filter(|(_, line)| !EXAMPLES.iter().any(|word| line.contains(word)));
            found.extend(named.map(|(number, line)| format!("{path}:{number}: {}", line.trim())));
        }
    }
    assert!(
        found.is_empty(),
        "code outside a game's file or folder names it; what it needs to know belongs into the \
         game's description or hints:\n{}",
        found.join("\n")
    );
}

#[test]
fn names_are_texts_and_modules_and_not_just_words() {
    assert!(names("open(\"congo\")", "congo") && names("use games::congo::Move;", "congo"));
    assert!(names("(\"congo:7\", 3)", "congo") && names("pub mod congo;", "congo"));
    assert!(!names("let order = 1; // go", "order") && !names("reorder::by()", "order"));
    let text = "// a\nlet a = 1;\n/// b\nlet b = 2;\n#[cfg(test)]\nmod tests { }";
    assert_eq!(code(text).map(|(number, _)| number).collect::<Vec<_>>(), [2, 4]);
}
