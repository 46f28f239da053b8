use serde_json::json;

use super::*;

/// Complete bodies from the description of the protocol.
const REQUESTS: &[&str] = &[
    r#"{"agent":"Ann","pwd":"…","actions":[]}"#,
    r#"{"agent":"Ann","pwd":"…","actions":[{"run":"2#0","action":[[2,-5],[2,-3]]},{"run":"3#0","action":[[2,-5],[0,-3]]}]}"#,
    r#"{"protocol_version":1,"agent":"Ann","pwd":"…","parallel_runs":false}"#,
    r#"{"protocol_version":1,"agent":"Ann","pwd":"…","actions":[{"run":"24","act_no":16,"action":[[-2,0],[-2,1]]},{"run":"25","act_no":16,"action":[[1,-3],[1,-2]]},{"run":"26","act_no":16,"action":[[-1,3],[-2,4]]},{"run":"37","act_no":15,"action":[[3,-4],[3,-3]]},{"run":"38","act_no":15,"action":[[0,-1],[0,1],[-2,1]]}]}"#,
    r#"{"protocol_version":1,"agent":"Ann","pwd":"…","to_abandon":["22"]}"#,
];

/// Responses, with `{…}` for an omitted percept replaced by `{}`.
const RESPONSES: &[&str] = &[
    r#"{"action-requests":[{"percept":{"A":[[1,-4],[2,-5],[2,-4],[3,-6],[3,-5],[3,-4]],"B":[[1,3],[2,2],[2,3],[3,1],[3,2],[3,3]],"C":[[-6,3],[-5,2],[-5,3],[-4,1],[-4,2],[-4,3]]},"run":"2#0"}],"errors":[],"messages":[]}"#,
    r#"{"action-requests":[{"percept":{},"run":"4#0"},{"percept":{},"run":"5#0"},{"percept":{},"run":"6#0"}],"errors":[],"messages":[]}"#,
    r#"{"action-requests":[{"percept":{},"run":"3#1"},{"percept":{},"run":"5#1"},{"percept":{},"run":"6#1"}],"errors":["Wrong action number for 2#1 (the action might have been intended for an earlier state)","Illegal move [[0, 0], [1, 1]]"],"messages":[]}"#,
    r#"{"action-requests":[{"percept":9,"run":"17#0"}],"errors":[],"messages":["12#2: Congratulations, you won!"]}"#,
    r#"{"action_requests":[{"act_no":0,"percept":{"A":[[1,-4],[2,-5],[2,-4],[3,-6],[3,-5],[3,-4]],"B":[[-3,4],[-3,5],[-3,6],[-2,4],[-2,5],[-1,4]]},"run":"22"}],"active_runs":["22"],"finished_runs":{},"messages":[]}"#,
    r#"{"action_requests":[{"act_no":17,"percept":{},"run":"24"},{"act_no":17,"percept":{},"run":"25"},{"act_no":16,"percept":{},"run":"37"},{"act_no":16,"percept":{},"run":"38"},{"act_no":0,"percept":{},"run":"39"}],"active_runs":["24","25","37","38","39"],"finished_runs":{"26":1},"messages":[{"content":"Game over: you finished first","run":"26","type":"info"}]}"#,
    r#"{"action_requests":[{"act_no":0,"percept":{},"run":"23"}],"active_runs":["23","24","25","26"],"finished_runs":{"22":0},"messages":[{"content":"Run abandoned (as requested by client)","run":"22","type":"warning"}]}"#,
];

#[test]
fn requests_are_written_as_they_were_read() {
    for body in REQUESTS {
        assert_eq!(Request::read(body.as_bytes()).unwrap().body(), *body);
    }
    // The two whose beginning is omitted in the description.
    for actions in [
        r#"[{"run":"2#1","action":[[3,-5],[1,-3]]},{"run":"2#1","action":[[3,-5],[1,-3]]},{"run":"3#1","action":[[0,0],[1,1]]},{"run":"4#1","action":[[2,-4],[0,-2]]}]"#,
        r#"[{"run":"12#2","action":1}]"#,
    ] {
        let body = format!(r#"{{"agent":"Ann","pwd":"…","actions":{actions}}}"#);
        assert_eq!(Request::read(body.as_bytes()).unwrap().body(), body);
    }
}

#[test]
fn responses_are_written_as_they_were_read() {
    for body in RESPONSES {
        let body = format!("{body}\n");
        assert_eq!(Response::read(body.as_bytes()).unwrap().body(), body);
    }
    for message in [
        r#"{"content":"Illegal move [[0, 0], [1, 1]]","run":"22","type":"error"}"#,
        r#"{"content":"Invalid run id","run":"99999","type":"error"}"#,
        r#"{"content":"a word to all","run":null,"type":"info"}"#,
    ] {
        let read: v1::Message = serde_json::from_str(message).unwrap();
        assert_eq!(text(&read), message);
    }
    let refusal = r#"{"errorcode":401,"errorname":"Unauthorized","description":"wrong password"}"#;
    assert_eq!(Refusal::read(refusal.as_bytes()).unwrap().body(), refusal);
    assert_eq!(Refusal::read(b"<html>405</html>"), None);
}

#[test]
fn what_the_stock_clients_send_is_understood() {
    let old = br#"{"agent": "A", "pwd": "P", "actions": [], "single_request": false}"#;
    let Request::V0(old) = Request::read(old).unwrap() else { panic!("version 0") };
    assert!(!old.single_request && old.actions.is_empty() && old.agent == "A");
    for (text, parallel) in [("1", true), ("\"false\"", false)] {
        let body =
            format!(r#"{{"protocol_version":1,"agent":"A","pwd":"P","parallel_runs":{text}}}"#);
        let Request::V1(read) = Request::read(body.as_bytes()).unwrap() else { panic!("{body}") };
        assert_eq!(read.parallel_runs, parallel, "{body}");
    }
    let new = br#"{"protocol_version": 1, "agent": "A", "pwd": "P", "actions": [], "to_abandon": [], "parallel_runs": true, "client": "py-client-v1"}"#;
    let Request::V1(new) = Request::read(new).unwrap() else { panic!("version 1") };
    assert!(new.parallel_runs && new.client == "py-client-v1");
    // A byte order mark, unknown fields, and of a repeated key the last.
    let odd = "\u{feff}{\"agent\":\"A\",\"x\":1,\"agent\":\"B\",\"pwd\":\"P\"}";
    let Request::V0(odd) = Request::read(odd.as_bytes()).unwrap() else { panic!("version 0") };
    assert_eq!(odd.agent, "B");
}

#[test]
fn the_version_is_a_number() {
    let read = |version: Value| {
        let body = json!({"agent": "A", "pwd": "P", "protocol_version": version});
        Request::read(body.to_string().as_bytes())
    };
    for one in [json!(1), json!(1.0), json!(true)] {
        assert!(matches!(read(one), Ok(Request::V1(request)) if request.protocol_version == 1));
    }
    assert!(matches!(read(json!(0)), Ok(Request::V0(_))));
    for other in [json!("1"), json!(2), json!(null), json!(0.5), json!([1])] {
        assert!(read(other).is_err());
    }
}

#[test]
fn numbers_and_booleans_are_taken_in_the_ways_the_server_takes_them() {
    let numbered = |number: Value| {
        let action = json!({"run": "2", "act_no": number, "action": null});
        serde_json::from_value::<v1::Action>(action).map(|action| action.act_no).ok()
    };
    for (told, number) in [(json!(1), 1), (json!("1"), 1), (json!(1.0), 1), (json!(-3), -3)] {
        assert_eq!(numbered(told), Some(number));
    }
    for other in [json!(0.5), json!("x"), json!(null), json!(1e300)] {
        assert_eq!(numbered(other), None);
    }
    let single = |told: Value| {
        let body = json!({"agent": "A", "pwd": "P", "single_request": told}).to_string();
        match Request::read(body.as_bytes()) {
            Ok(Request::V0(request)) => Some(request.single_request),
            _ => None,
        }
    };
    for yes in [json!(true), json!("true"), json!("yes"), json!(1)] {
        assert_eq!(single(yes), Some(true));
    }
    assert_eq!((single(json!(false)), single(json!(0))), (Some(false), Some(false)));
    assert_eq!((single(json!("false")), single(json!("no"))), (Some(false), Some(false)));
    assert_eq!((single(json!(null)), single(json!("perhaps"))), (None, None));
    assert_eq!((single(json!(2)), single(json!(0.5))), (None, None));
}

#[test]
fn a_step_is_digits_and_digits() {
    assert_eq!("02#001".parse::<v0::Step>().unwrap().to_string(), "2#1");
    assert_eq!("0#0".parse::<v0::Step>().unwrap().to_string(), "0#0");
    // An id too large for any integer is still an id.
    assert!("123456789012345678901234567890#0".parse::<v0::Step>().is_ok());
    for bad in
        ["", "2", "#1", "2#", "2#x", "-2#1", "2#1#1", "+2#1", "2 #1", "2#99999999999999999999"]
    {
        assert!(bad.parse::<v0::Step>().is_err(), "{bad}");
    }
}

#[test]
fn malformed_bodies_are_refused_without_being_quoted() {
    for body in [
        "",
        "{",
        "[]",
        "null",
        "3",
        "\"secret\"",
        "{}",
        r#"{"agent":"A"}"#,
        r#"{"agent":7,"pwd":"secret"}"#,
        r#"{"agent":"A","pwd":["secret"]}"#,
        r#"{"agent":"A","pwd":"P","actions":"secret"}"#,
        r#"{"agent":"A","pwd":"P","actions":[{"run":"secret","action":1}]}"#,
        r#"{"agent":"A","pwd":"P","actions":[{"run":"2#1"}]}"#,
        r#"{"protocol_version":1,"agent":"A","pwd":"P","actions":[{"run":2,"act_no":1,"action":1}]}"#,
        r#"{"protocol_version":1,"agent":"A","pwd":"P","actions":[{"run":"2","action":1}]}"#,
        r#"{"protocol_version":1,"agent":"A","pwd":"P","to_abandon":null}"#,
        r#"{"protocol_version":1,"agent":"A","pwd":"P","to_abandon":"secret"}"#,
        r#"{"protocol_version":1,"agent":"A","pwd":"P","client":7}"#,
        r#"{"protocol_version":1,"agent":"A","pwd":"P","parallel_runs":null}"#,
    ] {
        let problem = Request::read(body.as_bytes()).unwrap_err().to_string();
        assert!(!problem.contains("secret"), "{body}: {problem}");
    }
    let told = |body: &str| Request::read(body.as_bytes()).unwrap_err().to_string();
    assert_eq!(told(r#"{"agent":"A"}"#), "the field `pwd` is missing");
    let action =
        r#"{"protocol_version":1,"agent":"A","pwd":"P","actions":[{"run":"2","action":1}]}"#;
    assert_eq!(told(action), "the field `act_no` is missing in actions[0]");
    let kind = r#"{"protocol_version":1,"agent":"A","pwd":"P","to_abandon":["2",3]}"#;
    assert_eq!(told(kind), "the field to_abandon[1] has the wrong type");
    let deep = "[".repeat(100_000);
    assert!(Response::read(deep.as_bytes()).is_err());
    for body in ["<html></html>", "{}", r#"{"action_requests":[]}"#, r#"{"action-requests":{}}"#] {
        assert!(Response::read(body.as_bytes()).is_err(), "{body}");
    }
}

#[test]
fn a_password_shows_itself_to_nobody() {
    let secret = "s3cr\"et\\ß";
    let mut request = v1::Request::new("Ann", Password::new(secret));
    request.client = "agon".into();
    assert!(!format!("{request:?}").contains("s3cr"));
    let request = Request::V1(request);
    assert!(!format!("{request:?} {}", request.shown()).contains("s3cr"));
    assert_eq!(
        request.shown(),
        r#"{"protocol_version":1,"agent":"Ann","pwd":"…","client":"agon"}"#
    );
    // It does reach the server, and is removed from what comes back.
    let sent = request.body();
    assert!(sent.contains("s3cr"));
    let password = Password::new(secret);
    let ascii = r#"{"pwd": "s3cr\"et\\\u00df"}"#;
    let nested = text(&text(&sent));
    for echo in [sent.as_str(), &format!("what is {secret}?"), ascii, &nested] {
        assert!(!password.hide_in(echo).contains("s3cr"), "{echo}");
    }
    // Everything else stays as it was.
    assert_eq!(password.hide_in("no password here"), "no password here");
    assert_eq!(password.hide_in(ascii), r#"{"pwd": "…"}"#);
    assert_eq!(password.hide_in(&text(&sent)), text(&request.shown()));
    assert_eq!(Password::new("").hide_in("as it was"), "as it was");
}

#[test]
fn servers_store_the_sha_256_of_a_password() {
    let hash = Password::new("abc").sha256();
    let digits: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    // The first example of the standard, FIPS 180.
    assert_eq!(digits, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

#[test]
fn a_message_of_an_unknown_kind_is_no_reason_to_lose_the_response() {
    let body = r#"{"action_requests":[],"active_runs":[],"finished_runs":{},"messages":[{"content":"x","run":null,"type":"debug"}]}"#;
    let Response::V1(response) = Response::read(body.as_bytes()).unwrap() else { panic!() };
    assert_eq!(response.messages[0].kind, v1::MessageKind::Info);
}
