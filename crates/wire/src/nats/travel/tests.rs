use std::fs;

use super::*;

/// A program with these files, and its command.
fn program(folder: &Path, command: &str) -> Result<(Traveller, Vec<Parcel>), NatsError> {
    let settings = Settings { folder: Some(folder.to_path_buf()), ..Settings::default() };
    let agent = crate::registry(None).agent(command, &settings).unwrap();
    pack(&agent)
}

#[test]
fn the_files_that_a_command_names_travel_under_places_of_their_own() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("team");
    fs::create_dir_all(folder.join("data")).unwrap();
    for (file, mode) in [("bot.sh", 0o755), ("data/net.bin", 0o644), ("../shared.txt", 0o644)] {
        fs::write(folder.join(file), file).unwrap();
        fs::set_permissions(folder.join(file), fs::Permissions::from_mode(mode)).unwrap();
    }
    let command = "ugi:./bot.sh --net=data/net.bin ../shared.txt --level=3";
    let (agent, parcels) = program(&folder, command).unwrap();
    let (_, words) = agent.text.split_once(':').unwrap();
    let words = shell_words::split(words).unwrap();
    assert_eq!(words, ["./bot.sh", "--net=data/net.bin", "given/2-shared.txt", "--level=3"]);
    let luggage = agent.luggage.as_ref().unwrap();
    let files: Vec<_> = luggage.files.iter().map(|it| (it.path.as_str(), it.executable)).collect();
    assert_eq!(files, [("bot.sh", true), ("data/net.bin", false), ("given/2-shared.txt", false)]);
    assert_eq!(parcels.len(), 3);
    assert!(luggage.check().is_ok() && agent.is_file_of_its_own());
}

#[test]
fn places_on_another_machine_are_refused_by_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    for command in ["ugi:sh -c true /not/here", "ugi:sh --x=/not/here", "ugi:sh a/../../b"] {
        let error = program(folder.path(), command).err().expect(command).to_string();
        assert!(error.contains("a place on another machine"), "{error}");
        let (good, _) = program(folder.path(), "ugi:sh -c true").unwrap();
        let forged = Traveller { text: command.to_string(), ..good };
        let unpacked =
            forged.unpack(&crate::registry(None), folder.path().to_path_buf(), Level::None);
        assert!(unpacked.is_err(), "{command}");
    }
    let registry = crate::registry(None);
    for text in [
        "engine:book=/etc/hostname",
        "engine:book=my.book",
        "engine:weights=my.txt",
        "ggp:localhost:9",
        "human",
    ] {
        let forged = Traveller { text: text.into(), luggage: None };
        assert!(forged.unpack(&registry, PathBuf::new(), Level::None).is_err(), "{text}");
    }
    for text in ["engine:book=on", "mcts:iterations=10", "random"] {
        let honest = Traveller { text: text.into(), luggage: None };
        assert!(honest.unpack(&registry, PathBuf::new(), Level::None).is_ok(), "{text}");
    }
}

#[test]
fn what_a_machine_has_is_no_program_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bot.jar"), "jar").unwrap();
    let of = |text: &str| {
        let (agent, _) = program(folder.path(), "ugi:sh bot.jar").unwrap();
        Traveller { text: text.to_string(), ..agent }.is_file_of_its_own()
    };
    assert!(of("ugi:./bot.jar") && of("python:bot.jar#Agent"));
    for text in ["ugi:sh -c id", "ugi:sh bot.jar", "ugi:./other", "ugi:", "python:x.py", "engine"] {
        assert!(!of(text), "{text}");
    }
}

#[test]
fn luggage_that_leads_elsewhere_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bot.sh"), "x").unwrap();
    let (agent, _) = program(folder.path(), "ugi:sh bot.sh").unwrap();
    let luggage = agent.luggage.unwrap();
    for path in ["", "/etc/passwd", "../x", "a/../../x", "a\0b", &"x".repeat(300)] {
        let mut forged = luggage.clone();
        forged.files[0].path = path.into();
        assert!(forged.check().is_err(), "{path:?}");
    }
    let mut forged = luggage.clone();
    forged.files[0].checksum = "../../x".into();
    assert!(forged.check().is_err());
    forged.files = vec![luggage.files[0].clone(); MOST_FILES + 1];
    assert!(forged.check().is_err());
}
