//! A page with figures of each kind, on light and dark paper:
//! `cargo run -p agon-plot --example gallery > gallery.html`.

use agon_plot::*;

fn main() {
    let figures = [
        time(),
        versions(),
        releases(),
        many(),
        gains(),
        results(),
        lengths(),
        compared(),
        scores(),
        crowd(),
        nothing(),
        one(),
        constant(),
        cut(),
        builds(),
    ];
    let style = "body{margin:0;font-family:sans-serif}section{padding:1em}\
        .dark{background:#16191d;color:#e6e9ec;--plot-ink:#e6e9ec;--plot-grid:#3a4149;\
        --plot-paper:#16191d;--plot-1:#6cb0f0;--plot-2:#ff9d66;--plot-3:#5fd0b5;--plot-4:#dc8bdb;\
        --plot-5:#d9bd4d;--plot-6:#aab4bf;--plot-7:#ff7d9c;--plot-8:#5cc6ea}";
    println!("<!doctype html><meta charset=utf-8><title>Figures</title><style>{style}</style>");
    for theme in ["light", "dark"] {
        for (at, figure) in figures.iter().enumerate() {
            println!("<section class={theme} id={theme}-{at}>{figure}</section>");
        }
    }
}

fn strings<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(str::to_owned).to_vec()
}

fn time() -> String {
    let line = |name: &str, a: f64, b: f64| Series {
        name: name.to_owned(),
        points: (0..9)
            .map(|k| {
                let (x, y) = (100.0 * 2f64.powi(k), a + b * (k as f64).sqrt() * 40.0);
                Point::new(x, y).between(y - 22.0, y + 25.0)
            })
            .collect(),
    };
    LinePlot {
        title: "Strength by time for each move".to_owned(),
        x: Axis::log("Nodes per move"),
        y: Axis::linear("Elo relative to the anchor"),
        series: vec![
            line("alpha-beta", -120.0, 3.0),
            line("MCTS with RAVE", -60.0, 1.5),
            line("proof-number <hybrid> & \"books\"", -150.0, 1.9),
            line("random rollouts", -170.0, 0.7),
        ],
        reference: Some(Reference { y: 0.0, label: "anchor".to_owned() }),
        ..Default::default()
    }
    .svg()
}

fn versions() -> String {
    let names = ["0.1", "0.2 killers", "0.3 late-move reductions", "0.4 tables", "0.5", "0.6 NNUE"];
    let points = |shift: f64| {
        [0.0, 35.0, 96.0, 110.0, 104.0, 188.0]
            .iter()
            .enumerate()
            .map(|(at, elo)| {
                Point::new(at as f64, elo + shift).between(elo + shift - 18.0, elo + shift + 18.0)
            })
            .collect::<Vec<_>>()
    };
    LinePlot {
        title: "Performance by version".to_owned(),
        x: Axis::linear("Version"),
        steps: strings(names),
        y: Axis::linear("Elo"),
        series: vec![
            Series { name: "Congo".to_owned(), points: points(0.0) },
            Series { name: "Fenix".to_owned(), points: points(-12.0) },
            Series { name: "Hex".to_owned(), points: points(20.0) },
        ],
        reference: Some(Reference { y: 0.0, label: "first version".to_owned() }),
    }
    .svg()
}

fn releases() -> String {
    let steps: Vec<_> = (0..24)
        .map(|k| format!("2026-0{}-1{} tuned evaluation of step {k}", k % 9 + 1, k % 7))
        .collect();
    LinePlot {
        title: "Performance by change".to_owned(),
        y: Axis::linear("Elo"),
        series: vec![Series {
            name: String::new(),
            points: (0..24)
                .map(|k| {
                    let y = f64::from(k) * 9.0 + f64::from(k * 7 % 11);
                    Point::new(f64::from(k), y).between(y - 15.0, y + 15.0)
                })
                .collect(),
        }],
        steps,
        ..Default::default()
    }
    .svg()
}

fn builds() -> String {
    LinePlot {
        title: "Performance by build".to_owned(),
        x: Axis::linear("Build"),
        steps: (0..40).map(|k| format!("build {k}")).collect(),
        y: Axis::linear("Elo"),
        series: vec![Series {
            name: "Congo".to_owned(),
            points: (0..40)
                .map(|k| {
                    let y = f64::from(k * 5 + k * k % 37);
                    Point::new(f64::from(k), y).between(y - 15.0, y + 15.0)
                })
                .collect(),
        }],
        ..Default::default()
    }
    .svg()
}

fn many() -> String {
    let line = |index: usize| Series {
        name: format!("series {index}"),
        points: (1..200)
            .map(|k| Point::new(f64::from(k), 1e3 / f64::from(k) * (1.0 + index as f64)))
            .collect(),
    };
    LinePlot {
        title: "Eight curves".to_owned(),
        x: Axis::linear("Iteration"),
        y: Axis::log("Loss"),
        series: (0..8).map(line).collect(),
        ..Default::default()
    }
    .svg()
}

fn gains() -> String {
    let bar = |name: &str, value: f64, error: f64| Bar {
        name: name.to_owned(),
        value,
        error: Some((value - error, value + error)),
        text: format!("{value:+} ± {error}").replace('-', "−"),
    };
    BarPlot {
        title: "Gain by change".to_owned(),
        label: "Elo".to_owned(),
        bars: vec![
            bar("late-move reductions", 62.0, 14.0),
            bar("null-move pruning with verification", 35.0, 20.0),
            bar("history", 8.0, 11.0),
            bar("a name of about forty characters, whole", -4.0, 12.0),
            bar("contempt", -21.0, 13.0),
        ],
    }
    .svg()
}

fn results() -> String {
    let bar = |name: &str, values: [f64; 3]| StackedBar {
        name: name.to_owned(),
        values: values.to_vec(),
        text: format!("{} games", values.iter().sum::<f64>()),
    };
    StackedBars {
        title: "Results by opponent".to_owned(),
        label: "Share of games (%)".to_owned(),
        parts: strings(["win", "draw", "loss"]),
        bars: vec![
            bar("MCTS", [120.0, 30.0, 50.0]),
            bar("alpha-beta, one second", [70.0, 64.0, 66.0]),
            bar("minimax, the very first version of the program, depth three", [197.0, 1.0, 2.0]),
            bar("not played", [0.0, 0.0, 0.0]),
        ],
    }
    .svg()
}

fn bell(centre: f64, width: f64, count: usize) -> Vec<f64> {
    let noise = |k: usize| (k * 7919 % 1009) as f64 / 1009.0 - 0.5;
    (0..count)
        .map(|k| (centre + width * (noise(k) + noise(k * 31 + 7) + noise(k * 57 + 3))).round())
        .collect()
}

fn lengths() -> String {
    let name = String::new();
    Histogram {
        title: "Lengths of games".to_owned(),
        x_label: "Moves".to_owned(),
        y_label: "Games".to_owned(),
        distributions: vec![Distribution { name, data: Sample::Values(bell(80.0, 60.0, 900)) }],
    }
    .svg()
}

fn compared() -> String {
    let one =
        |name: &str, values| Distribution { name: name.to_owned(), data: Sample::Values(values) };
    Histogram {
        title: "Lengths of games".to_owned(),
        x_label: "Moves".to_owned(),
        y_label: "Games".to_owned(),
        distributions: vec![
            one("Congo", bell(80.0, 60.0, 900)),
            one("Fenix", bell(120.0, 80.0, 700)),
            one("Hex", bell(45.0, 20.0, 300)),
        ],
    }
    .svg()
}

fn table(count: usize, long: bool) -> String {
    let names: Vec<_> = (0..count)
        .map(|k| if long { format!("player {k} with options") } else { format!("bot {k}") })
        .collect();
    let cell = |row: usize, column: usize| {
        let value = (0.5 + (column as f64 - row as f64) / count as f64 * 0.9).clamp(0.0, 1.0);
        (row != column).then(|| Cell { value, text: format!("{value:.2}") })
    };
    HeatMap {
        title: "Scores".to_owned(),
        row_label: "Player".to_owned(),
        column_label: "Score against".to_owned(),
        rows: names.clone(),
        columns: names,
        cells: (0..count).map(|row| (0..count).map(|column| cell(row, column)).collect()).collect(),
        ..Default::default()
    }
    .svg()
}

fn scores() -> String {
    table(5, false)
}

fn crowd() -> String {
    table(12, true)
}

fn nothing() -> String {
    LinePlot { y: Axis::linear("Elo"), x: Axis::linear("Games"), ..Default::default() }.svg()
}

fn one() -> String {
    LinePlot {
        y: Axis::linear("Elo"),
        x: Axis::log("Games"),
        series: vec![Series { name: "only".to_owned(), points: vec![Point::new(30.0, 12.0)] }],
        ..Default::default()
    }
    .svg()
}

fn constant() -> String {
    let data = Sample::Values(vec![7.0; 12]);
    Histogram {
        distributions: vec![Distribution { name: "constant".to_owned(), data }],
        ..Default::default()
    }
    .svg()
}

fn cut() -> String {
    let points = vec![
        Point::new(0.0, 1.0).between(-1e6, 1e6),
        Point::new(1.0, 2.0).between(1.5, f64::INFINITY),
        Point::new(2.0, f64::NAN),
        Point::new(3.0, 3.0).between(2.0, 3.5),
        Point::new(4.0, 2.5e0),
    ];
    LinePlot {
        y: Axis::linear("Score"),
        series: vec![Series { name: "poor measurements".to_owned(), points }],
        ..Default::default()
    }
    .svg()
}
