//! Filters, against a plain scan of all games; and what they can choose from.

use agon_core::Rng;

use super::*;
use crate::verdict::Fault;

/// Random games in two series.
fn random_store(seed: u64) -> (TempDir, Store) {
    let (folder, store) = empty();
    let tournament = new_series(SeriesKind::Tournament, Some("spring"));
    let series = [begun(&store), store.begin_series(&tournament).unwrap()];
    let mut rng = Rng::new(seed);
    for number in 0..60 {
        let mut below = |limit: u64| rng.below(limit) as usize;
        let three = below(2) == 0;
        let seats = [[0, 1, 2], [1, 2, 0], [2, 0, 0]][below(3)];
        let points = [[100, 0, 0], [50, 50, 50], [0, 100, 75], [75, 75, 0], [0, 0, 100]][below(5)];
        let taken = if three { 3 } else { 2 };
        let ends = ["board", "fault:crash", "fault:illegal-move", "history"];
        let game = StoredGame {
            variant: ["fenix", "congo"][below(2)].into(),
            seats: PerSeat::from_slice(&seats[..taken]),
            points: PerSeat::from_slice(&points[..taken]),
            end: ends[below(4)].into(),
            finished_at: 1000 * below(50) as i64,
            ..game(number)
        };
        store.put(series[below(2)], &game).unwrap();
    }
    (folder, store)
}

/// The same as the SQL, one game at a time.
fn fits(filter: &Filter, series: &Series, game: &StoredGame) -> bool {
    let entrants = game.seats.as_slice().iter().map(|&seat| &series.entrants[seat as usize]);
    let called =
        |agent: &String| entrants.clone().any(|it| *agent == it.name || *agent == it.agent);
    let most = game.points.as_slice().iter().max().unwrap();
    let best: Vec<Seat> =
        game.points.iter().filter(|(_, points)| *points == most).map(|(seat, _)| seat).collect();
    let result = if best.len() == 1 { GameResult::Win(best[0]) } else { GameResult::Draw };
    let fault = |kind: FaultKind| match kind {
        FaultKind::Any => game.is_fault(),
        FaultKind::Only(fault) => game.end == format!("fault:{}", fault.code()),
    };
    filter.series.is_none_or(|id| id == series.id)
        && filter.agent.as_ref().is_none_or(called)
        && filter.variant.as_ref().is_none_or(|variant| *variant == game.variant)
        && filter.result.is_none_or(|wanted| wanted == result)
        && filter.fault.is_none_or(fault)
        && filter.since.is_none_or(|since| game.finished_at >= since)
        && filter.until.is_none_or(|until| game.finished_at < until)
}

/// Any filter, most of whose fields are not set.
fn any_filter(rng: &mut Rng) -> Filter {
    let seat = Seat::new(rng.below(3) as usize);
    let agents = ["net", "engine:eval=tuned", "nobody"];
    let mut some = || rng.below(3) == 0;
    let (agent, kind) = (agents[seat.index()], seat.index());
    Filter {
        series: some().then_some(SeriesId(1 + kind as i64 % 2)),
        agent: some().then(|| agent.to_string()),
        variant: some().then(|| "congo".to_string()),
        result: some().then_some(if kind == 2 { GameResult::Draw } else { GameResult::Win(seat) }),
        fault: some().then_some(match kind {
            0 => FaultKind::Any,
            _ => FaultKind::Only(Fault::Crash),
        }),
        since: some().then_some(20_000),
        until: some().then_some(30_000),
    }
}

#[test]
fn a_filter_finds_what_a_plain_scan_finds() {
    let mut found = 0;
    for seed in 0..3 {
        let (_folder, store) = random_store(seed);
        let all: Vec<_> = store.games(&Filter::default()).unwrap().map(Result::unwrap).collect();
        let mut rng = Rng::new(seed);
        for _ in 0..200 {
            let filter = any_filter(&mut rng);
            let series = |id: SeriesId| store.series(id).unwrap();
            let expected: Vec<_> = all
                .iter()
                .filter(|(id, game)| fits(&filter, &series(*id), game))
                .cloned()
                .collect();
            let games: Vec<_> = store.games(&filter).unwrap().map(Result::unwrap).collect();
            assert_eq!(games, expected, "{filter:?}");
            assert_eq!(store.count_games(&filter).unwrap().0, expected.len() as u64);
            found += expected.len();
        }
    }
    assert!(found > 1000, "most filters find something: {found}");
}

#[test]
fn choices_count_what_a_filter_would_find() {
    let (_folder, store) = random_store(7);
    let choices = store.choices().unwrap();
    let count = |filter: Filter| store.count_games(&filter).unwrap().0;
    let any = Filter::default;
    assert_eq!(choices.games, 60);
    assert_eq!(choices.variants.len(), 2);
    for (variant, games) in choices.variants {
        assert_eq!(games, count(Filter { variant: Some(variant), ..any() }));
    }
    assert_eq!(choices.agents.len(), 6, "texts and names");
    for (agent, games) in choices.agents {
        assert_eq!(games, count(Filter { agent: Some(agent.clone()), ..any() }), "{agent}");
    }
    assert_eq!(choices.results.iter().map(|(_, games)| games).sum::<u64>(), 60);
    for (result, games) in choices.results {
        assert_eq!(games, count(Filter { result: Some(result), ..any() }), "{result}");
    }
    assert_eq!(choices.faults.len(), 2);
    for (fault, games) in choices.faults {
        let fault = Some(fault.parse().unwrap());
        assert_eq!(games, count(Filter { fault, ..any() }), "{fault:?}");
    }
    let names: Vec<&str> = choices.series.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["spring", "match-1"]);
    for it in choices.series {
        assert_eq!(it.games, count(Filter::of(it.id)));
    }
    let (first, last) = choices.finished.unwrap();
    assert_eq!(count(Filter { since: Some(first), until: Some(last + 1), ..any() }), 60);
    assert_eq!(empty().1.choices().unwrap(), Choices::default());
}

#[test]
fn games_have_neighbours_in_their_series() {
    let (_folder, store) = empty();
    let series = begun(&store);
    let id = |number| GameId { series, number };
    for number in [3, 5, 9] {
        store.put(series, &game(number)).unwrap();
    }
    assert_eq!(store.neighbours(id(5)).unwrap(), [Some(id(3)), Some(id(9))]);
    assert_eq!(store.neighbours(id(3)).unwrap(), [None, Some(id(5))]);
    assert_eq!(store.neighbours(id(9)).unwrap(), [Some(id(5)), None]);
    assert_eq!(store.neighbours(id(u64::MAX)).unwrap(), [None, None]);
}
