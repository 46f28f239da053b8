//! Any data gives a well-formed figure that names everything.

use proptest::prelude::*;
use roxmltree::Document;

use crate::scale::{Span, nice_step};
use crate::text::{clean, fixed, number, power, shortened, width, wrapped};
use crate::*;

/// The figure as XML, after checks that hold for all figures.
fn parsed(svg: &str) -> Document<'_> {
    let document = Document::parse(svg).unwrap_or_else(|error| panic!("{error} in {svg}"));
    let root = document.root_element();
    assert_eq!(root.attribute("role"), Some("img"));
    assert!(root.attribute("width").is_none() && root.attribute("viewBox").is_some());
    for node in document.descendants() {
        assert!(node.attribute("id").is_none());
        for attribute in node.attributes() {
            let value = attribute.value();
            assert!(!value.contains("#01") && !value.contains("NaN") && !value.contains("inf"));
        }
    }
    document
}

/// All that the figure says.
fn said(svg: &str) -> String {
    parsed(svg).descendants().filter_map(|node| node.text()).collect::<Vec<_>>().join(" ")
}

fn says(svg: &str, name: &str) -> bool {
    said(svg).contains(&clean(name))
}

/// The words that are drawn.
fn drawn(svg: &str) -> Vec<String> {
    let document = parsed(svg);
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts.filter_map(|node| node.text()).map(str::to_owned).collect()
}

fn line(scale: Scale, points: &[(f64, f64)]) -> LinePlot {
    LinePlot {
        x: Axis { label: "x".to_owned(), scale },
        y: Axis { label: "y".to_owned(), scale },
        series: vec![Series {
            name: "one".to_owned(),
            points: points.iter().map(|&(x, y)| Point::new(x, y)).collect(),
        }],
        ..Default::default()
    }
}

#[test]
fn names_are_escaped() {
    let name = "a<b & \"c\" 'd' é 中 #010000\u{1}\u{fffe}";
    let mut plot = line(Scale::Linear, &[(0.0, 1.0)]);
    plot.series[0].name = name.to_owned();
    let svg = plot.svg();
    assert!(says(&svg, name));
    assert!(drawn(&svg).contains(&clean(name).trim().to_owned()), "{svg}");
}

#[test]
fn colours_are_variables_with_fallbacks() {
    let svg = line(Scale::Linear, &[(0.0, 1.0), (1.0, 2.0)]).svg();
    for value in ["var(--plot-ink,#1b1f24)", "var(--plot-grid,#d0d7de)", "var(--plot-1,#0b5394)"] {
        assert!(svg.contains(&format!("\"{value}\"")), "{value}");
    }
    let alone = standalone(&svg);
    assert!(!alone.contains("var("));
    assert!(alone.contains("stroke=\"#0b5394\"") && alone.contains("width=\"720\""));
    Document::parse(&alone).unwrap();
}

#[test]
fn what_has_no_place_on_a_log_axis_is_left_out_and_said() {
    let svg = line(Scale::Log, &[(0.0, 1.0), (1.0, -1.0), (2.0, 3.0), (f64::NAN, 1.0)]).svg();
    assert!(says(&svg, "one: 3 at 2. 3 without a place on the axes left out."));
    assert!(says(&line(Scale::Log, &[(0.0, 0.0)]).svg(), "no data"));
}

#[test]
fn figures_without_data_say_so() {
    let empty = [
        LinePlot::default().svg(),
        BarPlot::default().svg(),
        StackedBars::default().svg(),
        Histogram::default().svg(),
        HeatMap::default().svg(),
    ];
    for svg in empty {
        assert!(drawn(&svg).contains(&"no data".to_owned()), "{svg}");
    }
}

#[test]
fn series_differ_by_dashes() {
    let mut plot = line(Scale::Linear, &[(0.0, 1.0), (1.0, 2.0)]);
    plot.series.push(Series { name: "two".to_owned(), ..plot.series[0].clone() });
    let svg = plot.svg();
    let document = parsed(&svg);
    let dashed = document.descendants().filter(|node| node.has_attribute("stroke-dasharray"));
    // In the legend and in the data.
    assert_eq!(dashed.count(), 2);
}

#[test]
fn forty_characters_are_not_cut() {
    let name = "a name of forty characters, all of which";
    let bar = Bar { name: name.to_owned(), value: 1.0, ..Default::default() };
    let svg = BarPlot { bars: vec![bar], ..Default::default() }.svg();
    assert!(drawn(&svg).contains(&name.to_owned()), "{svg}");
}

#[test]
fn shares_are_of_the_whole() {
    let bar = |values: &[f64]| StackedBar { values: values.to_vec(), ..Default::default() };
    let svg = StackedBars {
        parts: vec!["win".to_owned(), "loss".to_owned()],
        bars: vec![bar(&[3.0, 1.0]), bar(&[-1.0, f64::NAN]), bar(&[1.0])],
        ..Default::default()
    }
    .svg();
    let texts = drawn(&svg);
    assert!(["75%", "25%", "100%", "–"].iter().all(|text| texts.contains(&(*text).to_owned())));
}

#[test]
fn bins_have_round_edges_and_count_all() {
    let values: Vec<_> = (0..100).map(f64::from).collect();
    let data = Sample::Values(values);
    let one = Distribution { name: "games".to_owned(), data };
    let svg = Histogram { distributions: vec![one], ..Default::default() }.svg();
    assert!(says(&svg, "games: 100 values from 0 to 100, most (10) from"), "{}", said(&svg));
}

#[test]
fn cells_are_legible_and_missing_ones_marked() {
    let cell = |value: f64| Some(Cell { value, text: format!("{value:.1}") });
    let svg = HeatMap {
        rows: vec!["row".to_owned()],
        columns: ["a", "b", "c", "d"].map(str::to_owned).to_vec(),
        cells: vec![vec![cell(0.0), cell(0.5), None]],
        ..Default::default()
    }
    .svg();
    let document = parsed(&svg);
    let fill = |text: &str| {
        let node = document.descendants().find(|node| node.text() == Some(text));
        node.and_then(|node| node.attribute("fill")).unwrap().to_owned()
    };
    assert_eq!((fill("0.0"), fill("0.5")), ("#FFFFFF".to_owned(), "#000000".to_owned()));
    assert_eq!(drawn(&svg).iter().filter(|text| *text == "–").count(), 2);
}

#[test]
fn ticks_are_round() {
    assert_eq!([0.3, 1.0, 1.1, 4.0, 70.0].map(nice_step), [0.5, 1.0, 2.0, 5.0, 100.0]);
    let labels = |values: [f64; 2], scale| Span::of(values.into_iter(), scale, 6).labels();
    assert_eq!(labels([-12.0, 31.0], Scale::Linear), ["−20", "−10", "0", "10", "20", "30", "40"]);
    assert_eq!(
        labels([0.0, 0.25], Scale::Linear),
        ["0.00", "0.05", "0.10", "0.15", "0.20", "0.25"]
    );
    assert_eq!(labels([1.0, 900.0], Scale::Log), ["1", "10", "100", "1000"]);
    assert_eq!(labels([1e3, 1e9], Scale::Log), ["10⁴", "10⁶", "10⁸"]);
}

#[test]
fn numbers_and_words() {
    assert_eq!([0.0, -1.5, 12_345.0, 0.1234].map(number), ["0", "−1.5", "12\u{2009}345", "0.1234"]);
    assert_eq!((fixed(-0.001, 1), power(2.5e-7, 2)), ("0.0".to_owned(), "2.5·10⁻⁷".to_owned()));
    assert_eq!(wrapped("one two three", width("one two"), 2), ["one two", "three"]);
    assert!(width(&shortened(&"w".repeat(100), 50.0)) <= 50.0);
}

fn anything() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -100.0..100.0,
        1 => any::<f64>(),
        1 => prop::sample::select(vec![0.0, -0.0, 1.0, f64::NAN, f64::INFINITY, -f64::INFINITY,
            f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324, 1e100, -1e100, 1e-100, 1e15, 1e15 + 1.0]),
    ]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![4 => any::<String>(), 1 => "[a-zA-Z <&>\"'-]{0,80}", 1 => "\\PC{100,200}"]
}

fn error() -> impl Strategy<Value = Option<(f64, f64)>> {
    prop::option::of((anything(), anything()))
}

fn scale() -> impl Strategy<Value = Scale> {
    prop::sample::select(vec![Scale::Linear, Scale::Log])
}

fn names(most: usize) -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(name(), 0..most)
}

fn points() -> impl Strategy<Value = Vec<Point>> {
    let point = (prop_oneof![anything(), (0u8..9).prop_map(f64::from)], anything(), error());
    prop::collection::vec(point.prop_map(|(x, y, error)| Point { x, y, error }), 0..60)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_lines(
        title in name(),
        labels in (name(), name()),
        scales in (scale(), scale()),
        steps in names(40),
        series in prop::collection::vec((name(), points()), 0..12),
        reference in prop::option::of((anything(), name())),
    ) {
        let series: Vec<_> = series.into_iter().map(|(name, points)| Series { name, points }).collect();
        let plot = LinePlot {
            title: title.clone(),
            x: Axis { label: labels.0, scale: scales.0 },
            y: Axis { label: labels.1, scale: scales.1 },
            steps,
            series: series.clone(),
            reference: reference.map(|(y, label)| Reference { y, label }),
        };
        let svg = plot.svg();
        prop_assert!(says(&svg, &title));
        for one in &series {
            prop_assert!(says(&svg, &one.name));
        }
        Document::parse(&standalone(&svg)).unwrap();
    }

    #[test]
    fn any_bars(label in name(), bars in prop::collection::vec((name(), anything(), error(), name()), 0..40)) {
        let bar = |(name, value, error, text)| Bar { name, value, error, text };
        let bars: Vec<_> = bars.into_iter().map(bar).collect();
        let svg = BarPlot { title: String::new(), label, bars: bars.clone() }.svg();
        for bar in &bars {
            prop_assert!(says(&svg, &bar.name));
        }
    }

    #[test]
    fn any_parts(
        parts in names(9),
        bars in prop::collection::vec((name(), prop::collection::vec(anything(), 0..9), name()), 0..40),
    ) {
        let bar = |(name, values, text)| StackedBar { name, values, text };
        let bars: Vec<_> = bars.into_iter().map(bar).collect();
        let svg = StackedBars { parts: parts.clone(), bars: bars.clone(), ..Default::default() }.svg();
        for name in bars.iter().map(|bar| &bar.name).chain(&parts) {
            prop_assert!(says(&svg, name));
        }
    }

    #[test]
    fn any_distributions(
        values in prop::collection::vec((name(), prop::collection::vec(anything(), 0..200)), 0..4),
        bins in prop::option::of((name(), prop::collection::vec(anything(), 0..9), prop::collection::vec(anything(), 0..9))),
    ) {
        let values = values.into_iter().map(|(name, values)| (name, Sample::Values(values)));
        let bins = bins.map(|(name, edges, counts)| (name, Sample::Bins { edges, counts }));
        let distributions: Vec<_> =
            values.chain(bins).map(|(name, data)| Distribution { name, data }).collect();
        let svg = Histogram { distributions: distributions.clone(), ..Default::default() }.svg();
        for one in &distributions {
            prop_assert!(says(&svg, &one.name));
        }
    }

    #[test]
    fn any_table(
        labels in (name(), name()),
        rows in names(9),
        columns in names(40),
        cells in prop::collection::vec(prop::collection::vec(prop::option::of((anything(), name())), 0..12), 0..9),
        ends in (anything(), anything(), anything()),
    ) {
        let cell = |(value, text)| Cell { value, text };
        let map = HeatMap {
            title: String::new(),
            row_label: labels.0,
            column_label: labels.1,
            rows: rows.clone(),
            columns: columns.clone(),
            cells: cells.into_iter().map(|row| row.into_iter().map(|it| it.map(cell)).collect()).collect(),
            low: ends.0,
            centre: ends.1,
            high: ends.2,
        };
        let svg = map.svg();
        for name in rows.iter().chain(&columns) {
            prop_assert!(says(&svg, name));
        }
    }
}
