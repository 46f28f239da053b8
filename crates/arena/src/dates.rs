//! Dates and times of day in UTC, as the store counts them: in milliseconds since 1970.

use std::ops::Range;

const SECOND: i64 = 1000;
const DAY: i64 = 24 * 3600 * SECOND;
/// Days in 400 years, after which the calendar repeats itself.
const CYCLE: u64 = 146_097;

/// A date with the time of day.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Civil {
    year: u64,
    month: u64,
    day: u64,
    /// Since midnight.
    seconds: u64,
}

impl Civil {
    /// Times before 1970 become its beginning.
    fn of(millis: i64) -> Civil {
        let seconds = u64::try_from(millis).unwrap_or(0) / SECOND as u64;
        let (all_days, seconds) = (seconds / 86_400, seconds % 86_400);
        let (mut year, mut days) = (1970 + 400 * (all_days / CYCLE), all_days % CYCLE);
        while days >= days_of_year(year) {
            days -= days_of_year(year);
            year += 1;
        }
        let mut month = 1;
        while days >= days_of_month(year, month) {
            days -= days_of_month(year, month);
            month += 1;
        }
        Civil { year, month, day: days + 1, seconds }
    }

    /// The hour, the minute and the second.
    fn time(self) -> [u64; 3] {
        [self.seconds / 3600, self.seconds / 60 % 60, self.seconds % 60]
    }
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

fn days_of_year(year: u64) -> u64 {
    365 + u64::from(is_leap(year))
}

fn days_of_month(year: u64, month: u64) -> u64 {
    match month {
        2 => 28 + u64::from(is_leap(year)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The date and the time, for people: `2026-01-31 23:59`.
pub fn minute_text(millis: i64) -> String {
    let Civil { year, month, day, .. } = Civil::of(millis);
    let [hour, minute, _] = Civil::of(millis).time();
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}")
}

/// The date as PGN has it: `2026.01.31`.
pub fn pgn_date(millis: i64) -> String {
    let Civil { year, month, day, .. } = Civil::of(millis);
    format!("{year:04}.{month:02}.{day:02}")
}

/// The time as PGN has it: `23:59:05`.
pub fn pgn_time(millis: i64) -> String {
    let [hour, minute, second] = Civil::of(millis).time();
    format!("{hour:02}:{minute:02}:{second:02}")
}

/// The date and the time, for programs: `2026-01-31T23:59:05Z`.
pub fn instant_text(millis: i64) -> String {
    let Civil { year, month, day, .. } = Civil::of(millis);
    format!("{year:04}-{month:02}-{day:02}T{}Z", pgn_time(millis))
}

/// Reads a day, which lasts until midnight, or a moment: `2026-01-31`, `2026-01-31T23:59`,
/// `2026-01-31T23:59:05.123Z`. Both are in UTC.
///
/// ```
/// use agon_arena::dates::read_span;
/// assert_eq!(read_span("1970-01-02").unwrap(), 86_400_000..172_800_000);
/// assert_eq!(read_span("1970-01-01T00:01").unwrap(), 60_000..60_000);
/// assert!(read_span("2026-02-30").is_err());
/// ```
pub fn read_span(text: &str) -> Result<Range<i64>, String> {
    let read = || {
        let (date, time) = match text.split_once(['T', ' ']) {
            Some((date, time)) => (date, Some(time)),
            None => (text, None),
        };
        let midnight = read_date(date)?;
        match time {
            None => Some(midnight..midnight + DAY),
            Some(time) => {
                let moment = midnight + read_time(time.strip_suffix('Z').unwrap_or(time))?;
                Some(moment..moment)
            }
        }
    };
    read().ok_or_else(|| {
        format!("bad date {text:?}: expected a day such as 2026-01-31, or 2026-01-31T23:59, in UTC")
    })
}

/// Midnight of a date from 1970 to 9999.
fn read_date(text: &str) -> Option<i64> {
    let parts: Option<Vec<u64>> = text.split('-').map(digits).collect();
    let &[year @ 1970..=9999, month @ 1..=12, day] = &parts?[..] else { return None };
    if day == 0 || day > days_of_month(year, month) {
        return None;
    }
    let years: u64 = (1970..year).map(days_of_year).sum();
    let months: u64 = (1..month).map(|month| days_of_month(year, month)).sum();
    i64::try_from(years + months + day - 1).ok().map(|days| days * DAY)
}

/// Milliseconds since midnight.
fn read_time(text: &str) -> Option<i64> {
    let (time, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let parts: Option<Vec<u64>> = time.split(':').map(digits).collect();
    let parts = parts?;
    let (hour, minute, second) = match parts[..] {
        [hour, minute] => (hour, minute, 0),
        [hour, minute, second] => (hour, minute, second),
        _ => return None,
    };
    if hour > 23 || minute > 59 || second > 59 || fraction.len() > 3 {
        return None;
    }
    let millis = digits(fraction)? * 10_u64.pow(3 - fraction.len() as u32);
    i64::try_from(((hour * 60 + minute) * 60 + second) * 1000 + millis).ok()
}

/// A number of digits alone.
fn digits(text: &str) -> Option<u64> {
    let fits = !text.is_empty() && text.len() <= 4 && text.bytes().all(|b| b.is_ascii_digit());
    fits.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_second_is_read_back(seconds in 0_i64..253_402_300_800) {
            let text = instant_text(seconds * SECOND);
            prop_assert_eq!(read_span(&text), Ok(seconds * SECOND..seconds * SECOND), "{}", text);
        }

        #[test]
        fn any_text_is_read_without_a_panic(text: String) {
            let _ = read_span(&text);
        }
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00"),
            (951_782_399, "2000-02-28 23:59"),
            (951_868_799, "2000-02-29 23:59"),
            (1_767_225_599, "2025-12-31 23:59"),
            (4_107_542_400, "2100-03-01 00:00"),
            (12_622_780_800, "2370-01-01 00:00"),
        ] {
            assert_eq!(minute_text(seconds * 1000), text);
        }
        assert!(minute_text(i64::MAX).starts_with("29227"));
        assert_eq!(pgn_date(-5), "1970.01.01");
        assert_eq!(pgn_time(86_399_999), "23:59:59");
    }

    #[test]
    fn a_bad_date_is_told_what_would_be_right() {
        for bad in [
            "",
            "today",
            "2026-13-01",
            "2025-02-29",
            "1969-01-01",
            "2026-01-01T24:00",
            "2026-01-01T1",
            "2026-1-1T10:00:00.1234",
            "+2026-01-01",
            "2026-01-00",
            "10000-01-01",
        ] {
            let error = read_span(bad).unwrap_err();
            assert!(error.contains("such as 2026-01-31"), "{bad:?}: {error}");
        }
        assert_eq!(read_span("2026-01-31T23:59:05.5Z").unwrap().start % SECOND, 500);
    }
}
