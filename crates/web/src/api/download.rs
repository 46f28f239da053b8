//! Files to save, and how a browser is to name them.

use agon_core::printable;
use axum::body::Body;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

/// The media type of tables.
pub(super) const CSV: &str = "text/csv; charset=utf-8";
/// The longest name of a file, without its ending, in characters.
const LONGEST: usize = 60;

/// A file to save.
pub(super) fn download(
    kind: &'static str,
    name: &str,
    ending: &str,
    body: impl Into<Body>,
) -> Response {
    let mut response = body.into().into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CONTENT_DISPOSITION, disposition("attachment", name, ending));
    response
}

/// How a browser is to name the file. Names are texts of people: what means something in a path or in
/// a header is replaced, and the name is given twice, in ASCII and in full (RFC 6266).
pub(super) fn disposition(kind: &str, name: &str, ending: &str) -> HeaderValue {
    let harmless = |c: char| match c {
        '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' | '%' | ';' => '-',
        c => c,
    };
    let full: String = printable(name).chars().map(harmless).take(LONGEST).collect();
    let full = full.trim_matches(['.', ' ']);
    let full = format!("{}{ending}", if full.is_empty() { "agon" } else { full });
    let plain: String = full.chars().map(|c| if c.is_ascii() { c } else { '_' }).collect();
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => {
            char::from(byte).to_string()
        }
        _ => format!("%{byte:02X}"),
    };
    let encoded: String = full.bytes().map(byte).collect();
    let text = format!("{kind}; filename=\"{plain}\"; filename*=UTF-8''{encoded}");
    HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("attachment"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_becomes_a_harmless_name_of_a_file() {
        let named = |name: &str| {
            let header = disposition("attachment", name, ".csv");
            header.to_str().unwrap().strip_prefix("attachment; filename=").unwrap().to_string()
        };
        assert_eq!(named("smoke"), "\"smoke.csv\"; filename*=UTF-8''smoke.csv");
        assert_eq!(named("größer"), "\"gr__er.csv\"; filename*=UTF-8''gr%C3%B6%C3%9Fer.csv");
        assert_eq!(named("../../a\"; b"), "\"-..-a-- b.csv\"; filename*=UTF-8''-..-a--%20b.csv");
        assert_eq!(named(".."), "\"agon.csv\"; filename*=UTF-8''agon.csv");
        for name in ["a\r\nb", "\u{202e}fdp", "\0", "%2F"] {
            let named = named(name);
            assert!(!named.contains(['\r', '\n', '\0']) && !named.contains("%E2%80%AE"), "{named}");
        }
        assert!(named(&"ß".repeat(100)).len() < 500);
    }
}
