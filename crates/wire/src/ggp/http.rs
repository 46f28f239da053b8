//! As much of HTTP as GGP uses: one message per connection, one answer, then it is closed.
//!
//! Parsing is a function of the bytes received so far, so that slow, broken and hostile senders are
//! up to the code that holds the connection.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The maximum size of a head (the lines before the body) in bytes.
pub(crate) const LONGEST_HEAD: usize = 16 << 10;
/// The maximum size of a body in bytes. The rules of the largest games have a tenth of that.
pub(crate) const LONGEST_BODY: usize = 1 << 20;
/// The maximum number of header lines.
const MOST_HEADERS: usize = 64;

/// A header of our referee: the answer will be ignored. It comes with moves that were decided
/// before the players were asked, such as those of an opening.
pub(crate) const ANSWER_UNUSED: &str = "Agon-Answer-Unused";

/// A request, as far as GGP is concerned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The message.
    pub body: String,
    /// Whether the answer will be ignored.
    pub answer_unused: bool,
}

/// Why a request is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The status line.
    pub status: &'static str,
    /// The problem, for the log.
    pub problem: &'static str,
}

const fn refusal<T>(status: &'static str, problem: &'static str) -> Result<T, Refusal> {
    Err(Refusal { status, problem })
}

/// A request did not arrive within its time.
pub(crate) const TOO_SLOW: Refusal =
    Refusal { status: "408 Request Timeout", problem: "the request is incomplete" };

/// The request in these bytes; `None` as long as it is not complete.
///
/// ```
/// use agon_wire::ggp::http::read_request;
/// let bytes = b"POST / HTTP/1.0\r\nContent-length: 6\r\n\r\n(INFO)";
/// assert_eq!(read_request(bytes).unwrap().unwrap().body, "(INFO)");
/// assert_eq!(read_request(&bytes[..40]), Ok(None));
/// assert!(read_request(b"hello\r\n\r\n").is_err());
/// ```
pub fn read_request(bytes: &[u8]) -> Result<Option<Request>, Refusal> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let head = match request.parse(bytes) {
        Ok(httparse::Status::Complete(length)) if length <= LONGEST_HEAD => length,
        Ok(httparse::Status::Partial) if bytes.len() <= LONGEST_HEAD => return Ok(None),
        Ok(_) => return refusal("431 Request Header Fields Too Large", "the head is too long"),
        Err(httparse::Error::TooManyHeaders) => {
            return refusal("431 Request Header Fields Too Large", "too many header lines");
        }
        Err(_) => return refusal("400 Bad Request", "this is not HTTP"),
    };
    let answer_unused = header(request.headers, ANSWER_UNUSED).is_some();
    match request.method {
        Some("POST") => {}
        // For people and monitors: the message is in the address.
        Some("GET") => {
            let path = request.path.unwrap_or("/").trim_start_matches('/');
            return Ok(Some(Request { body: percent_decoded(path), answer_unused }));
        }
        _ => return refusal("405 Method Not Allowed", "expected POST or GET"),
    }
    if header(request.headers, "transfer-encoding").is_some() {
        return refusal("411 Length Required", "a chunked body");
    }
    let Some(length) = header(request.headers, "content-length") else {
        return refusal("411 Length Required", "no content-length");
    };
    let Ok(length) = length.parse::<usize>() else {
        return refusal("400 Bad Request", "the content-length is not a number");
    };
    if length > LONGEST_BODY {
        return refusal("413 Content Too Large", "the body is too large");
    }
    let body = bytes.get(head..head + length);
    let text = |body| Request { body: String::from_utf8_lossy(body).into_owned(), answer_unused };
    Ok(body.map(text))
}

fn header<'a>(headers: &'a [httparse::Header<'_>], name: &str) -> Option<&'a str> {
    let header = headers.iter().find(|header| header.name.eq_ignore_ascii_case(name))?;
    std::str::from_utf8(header.value).ok().map(str::trim)
}

/// `%28` is `(`. Anything else stays as it is.
fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = (*first == b'%').then(|| tail.get(..2)).flatten();
        let code = code.and_then(|code| std::str::from_utf8(code).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A response, after which the connection is closed: one of the controllers reads until then.
pub fn reply(status: &str, body: &str) -> String {
    format!(
        "HTTP/1.0 {status}\r\nContent-Type: text/acl\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// A request to a player.
pub fn request(receiver: &str, body: &str, answer_unused: bool) -> String {
    let mut text = String::with_capacity(body.len() + 200);
    // Names of players come from command lines; a line break would start another header.
    let receiver: String = receiver.chars().filter(|c| c.is_ascii_graphic()).collect();
    let _ = write!(
        text,
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: {receiver}\r\nSender: AGON\r\n\
         Receiver: {receiver}\r\nContent-Type: text/acl\r\nContent-Length: {}\r\n",
        body.len()
    );
    if answer_unused {
        let _ = write!(text, "{ANSWER_UNUSED}: 1\r\n");
    }
    text + "\r\n" + body
}

/// The response in these bytes; `None` as long as more may come. `ended` says that nothing more
/// will. Players differ in everything but this: a first line, header lines, a blank one, the body.
///
/// ```
/// use agon_wire::ggp::http::read_reply;
/// let bytes = b"HTTP/1.0 200 OK \r\nContent-Type: text/acl\r\n\r\n(move 1 4 1 3)";
/// assert_eq!(read_reply(bytes, false), Ok(None));
/// assert_eq!(read_reply(bytes, true).unwrap().unwrap(), "(move 1 4 1 3)");
/// ```
pub fn read_reply(bytes: &[u8], ended: bool) -> Result<Option<Cow<'_, str>>, &'static str> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut response = httparse::Response::new(&mut headers);
    let head = match response.parse(bytes) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) if ended && bytes.is_empty() => {
            return Err("closed the connection without an answer");
        }
        Ok(httparse::Status::Partial) if ended => return Err("the answer is incomplete"),
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(_) => return Err("the answer is not HTTP"),
    };
    let body = bytes.get(head..).unwrap_or_default();
    let length = header(response.headers, "content-length").and_then(|text| text.parse().ok());
    let whole = match length {
        Some(length) if body.len() >= length => body.get(..length),
        // A player that announces more than it sends has still answered.
        _ if ended => Some(body),
        _ => None,
    };
    Ok(whole.map(String::from_utf8_lossy))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn requests_of_both_dialects_are_read() {
        for head in [
            "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: Gamecontroller\r\n\
             Receiver: localhost\r\nContent-type: text/acl\r\nContent-length: 23\r\n\r\n",
            "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: localhost\r\nSender: GAMESERVER\r\n\
             Receiver: P1\r\nContent-Type: text/acl\r\nContent-Length: 23\r\n\r\n",
            "POST / HTTP/1.1\nContent-Length:23\n\n",
        ] {
            let text = format!("{head}(PLAY testmatch.ok NIL)");
            let request = read_request(text.as_bytes()).unwrap().unwrap();
            assert_eq!(request.body, "(PLAY testmatch.ok NIL)");
            assert!(!request.answer_unused);
            for end in 0..text.len() {
                assert_eq!(read_request(&text.as_bytes()[..end]), Ok(None), "{end}");
            }
        }
    }

    #[test]
    fn a_message_may_stand_in_the_address() {
        let body = |text: &str| read_request(text.as_bytes()).unwrap().unwrap().body;
        assert_eq!(body("GET /%28%20INFO%20%29 HTTP/1.1\r\n\r\n"), "( INFO )");
        assert_eq!(body("GET / HTTP/1.1\r\n\r\n"), "");
        assert_eq!(body("GET /%zz%2 HTTP/1.1\r\n\r\n"), "%zz%2");
    }

    #[test]
    fn what_is_wrong_with_a_request_is_told() {
        let many = format!("POST / HTTP/1.0\r\n{}\r\n", "A: b\r\n".repeat(65));
        let long = format!("POST / HTTP/1.0\r\nA: {}", "b".repeat(LONGEST_HEAD));
        for (text, status) in [
            ("hello\r\n\r\n", "400"),
            ("PUT / HTTP/1.0\r\nContent-Length: 1\r\n\r\na", "405"),
            ("POST / HTTP/1.0\r\n\r\n(INFO)", "411"),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "411"),
            ("POST / HTTP/1.0\r\nContent-Length: x\r\n\r\n", "400"),
            ("POST / HTTP/1.0\r\nContent-Length: -1\r\n\r\n", "400"),
            ("POST / HTTP/1.0\r\nContent-Length: 5000000\r\n\r\n", "413"),
            ("POST / HTTP/1.0\r\nContent-Length: 99999999999999999999\r\n\r\n", "400"),
            (&many, "431"),
            (&long, "431"),
        ] {
            let refusal = read_request(text.as_bytes()).unwrap_err();
            assert!(refusal.status.starts_with(status), "{text:.60}: {refusal:?}");
        }
    }

    #[test]
    fn our_own_requests_and_replies_are_read() {
        let text = request("localhost\r\nX: y", "(INFO)", true);
        let read = read_request(text.as_bytes()).unwrap().unwrap();
        assert_eq!(read, Request { body: "(INFO)".into(), answer_unused: true });
        let text = reply("200 OK", "(move 1 2 1 3)");
        assert_eq!(read_reply(text.as_bytes(), false).unwrap().unwrap(), "(move 1 2 1 3)");
    }

    #[test]
    fn replies_of_all_known_players_are_read() {
        for (text, body) in [
            ("HTTP/1.0 200 OK \r\nContent-Type: text/acl\r\n\r\nready", "ready"),
            ("HTTP/1.0 200 OK\r\nContent-length: 8\r\nA: *\r\n\r\n( noop )", "( noop )"),
            ("HTTP/1.1 400 Bad Request\nContent-Length: 5\n\nready\n\n", "ready"),
            ("HTTP/1.0 200 OK\r\nContent-Length: 50\r\n\r\nnoop", "noop"),
            ("HTTP/1.0 200\r\n\r\n\r\n noop ", "\r\n noop "),
        ] {
            assert_eq!(read_reply(text.as_bytes(), true).unwrap().unwrap(), body, "{text}");
        }
        for (text, word) in
            [("", "without"), ("HTTP/1.0 200 OK\r\n", "incomplete"), ("(noop)\r\n\r\n", "not HTTP")]
        {
            assert!(read_reply(text.as_bytes(), true).unwrap_err().contains(word), "{text}");
        }
    }

    /// Bytes that resemble HTTP more often than random ones.
    fn noise() -> impl Strategy<Value = Vec<u8>> {
        let part = prop_oneof![
            Just(b"POST / HTTP/1.0\r\n".to_vec()),
            Just(b"HTTP/1.0 200 OK\r\n".to_vec()),
            Just(b"Content-Length: 5\r\n".to_vec()),
            Just(b"\r\n".to_vec()),
            Just(b"GET /%28%".to_vec()),
            prop::collection::vec(any::<u8>(), 0..40),
        ];
        prop::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn no_bytes_break_the_readers(bytes in noise(), ended: bool) {
            let _ = read_request(&bytes);
            let _ = read_reply(&bytes, ended);
        }
    }
}
