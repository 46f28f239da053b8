//! Commented examples of experiment files, one for each kind.

/// An example.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The kind it is for.
    pub kind: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// The file.
    pub text: &'static str,
}

/// All examples.
pub const SAMPLES: &[Sample] = &[
    Sample {
        kind: "list",
        about: "agents against a baseline, or all against all",
        text: include_str!("samples/list.toml"),
    },
    Sample {
        kind: "evolution",
        about: "versions in order, each against the baseline and the one before",
        text: include_str!("samples/evolution.toml"),
    },
    Sample {
        kind: "ablation",
        about: "an agent, and its switches turned off one by one",
        text: include_str!("samples/ablation.toml"),
    },
    Sample {
        kind: "build-up",
        about: "from a plain agent, one improvement added after the other",
        text: include_str!("samples/build-up.toml"),
    },
    Sample {
        kind: "measure",
        about: "depth, nodes and time on fixed positions, threads, solutions; no games",
        text: include_str!("samples/measure.toml"),
    },
];

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_example_can_be_run() {
        let registry = agon_arena::Registry::built_in();
        for sample in SAMPLES {
            let file = Path::new("example.toml");
            let read = crate::file::parse(file, sample.text, &registry);
            let experiment = read.unwrap_or_else(|error| panic!("{}: {error}", sample.kind));
            assert!(!experiment.question.is_empty(), "{}", sample.kind);
            let kinds = experiment.comparisons.iter().map(|it| it.kind.name());
            let kinds: Vec<&str> = kinds.collect();
            assert!(sample.kind == "measure" || kinds.contains(&sample.kind), "{kinds:?}");
        }
    }
}
