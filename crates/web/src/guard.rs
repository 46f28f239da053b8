//! What stands before every request: who may ask from where, and what browsers may do with the
//! answers.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    CONTENT_SECURITY_POLICY, HOST, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY, UPGRADE,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::{ApiError, Code};

/// Nothing but what this server sends itself, and no script or style inside pages.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// What the guard knows.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The address, if only this machine can reach it. Then nobody means it by another name,
    /// unless somebody's page has been told that its own name is this address.
    loopback: Option<SocketAddr>,
    /// What others call it, where a proxy stands before it.
    name: Option<Arc<str>>,
}

impl Guard {
    /// A guard for a server at this address, which others know by this name.
    pub fn new(address: SocketAddr, name: Option<&str>) -> Guard {
        let loopback = Some(address).filter(|address| address.ip().is_loopback());
        Guard { loopback, name: name.map(Arc::from) }
    }

    fn check(&self, request: &Request) -> Result<(), ApiError> {
        // Agents show a password with every request, which no page knows.
        if is_for_agents(request.uri().path()) {
            return Ok(());
        }
        let headers = request.headers();
        let host = text(headers, HOST).unwrap_or_default();
        let by_name = self.name.as_deref().is_some_and(|name| host.eq_ignore_ascii_case(name));
        if let Some(address) = self.loopback
            && !by_name
            && !is_loopback_name(host, address.port())
        {
            let hint = "behind a proxy, --name tells what others call it";
            let message = format!("this server is not {host:?}: use http://{address}; {hint}");
            return Err(ApiError::new(Code::Forbidden, message));
        }
        let reads = matches!(*request.method(), Method::GET | Method::HEAD);
        // A page of another origin may open a WebSocket and read it, unless it is refused.
        if reads && !headers.contains_key(UPGRADE) {
            return Ok(());
        }
        // A proxy may tell the name that it was asked by, or not.
        check_origin(headers, &[host, self.name.as_deref().unwrap_or(host)])
    }
}

fn is_for_agents(path: &str) -> bool {
    path.trim_start_matches('/').starts_with("act/")
}

/// Browsers say where a page comes from; other programs say nothing, and are not led by pages.
fn check_origin(headers: &HeaderMap, hosts: &[&str]) -> Result<(), ApiError> {
    let own = |origin: &str| {
        let name = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        name.is_some_and(|name| hosts.iter().any(|host| name.eq_ignore_ascii_case(host)))
    };
    let foreign_page = headers.contains_key(ORIGIN) && !text(headers, ORIGIN).is_some_and(own);
    let site = text(headers, HeaderName::from_static("sec-fetch-site"));
    let foreign_site = site.is_some_and(|site| !matches!(site, "same-origin" | "none"));
    if foreign_page || foreign_site {
        let message = "only pages of this server itself may do that";
        return Err(ApiError::new(Code::Forbidden, message));
    }
    Ok(())
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Whether this is what people on this machine call it.
fn is_loopback_name(host: &str, port: u16) -> bool {
    let name = match host.strip_suffix(&format!(":{port}")) {
        Some(name) => name,
        None if port == 80 => host,
        None => return false,
    };
    ["localhost", "127.0.0.1", "[::1]"].iter().any(|known| name.eq_ignore_ascii_case(known))
        || name.parse::<std::net::Ipv4Addr>().is_ok_and(|address| address.is_loopback())
}

/// Lets a request through or not, and tells browsers what to make of the answer.
pub async fn watch(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let mut response = match guard.check(&request) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_known_by_its_own_names_only() {
        for host in ["localhost:7300", "127.0.0.1:7300", "LOCALHOST:7300", "[::1]:7300"] {
            assert!(is_loopback_name(host, 7300), "{host}");
        }
        for host in
            ["", "localhost", "evil.example:7300", "127.0.0.1:80", "127.0.0.1.evil.example:7300"]
        {
            assert!(!is_loopback_name(host, 7300), "{host}");
        }
    }

    #[test]
    fn behind_a_proxy_the_server_has_another_name_and_agents_may_use_any() {
        let guard = Guard::new("127.0.0.1:7300".parse().unwrap(), Some("agon.example"));
        let asked = |host: &str, path: &str| {
            let request = Request::builder().uri(path).header(HOST, host);
            guard.check(&request.body(axum::body::Body::empty()).unwrap()).is_ok()
        };
        assert!(asked("agon.example", "/") && asked("localhost:7300", "/api/games"));
        assert!(!asked("evil.example", "/") && !asked("evil.example", "/api/action"));
        assert!(asked("evil.example", "/act/e") && asked("evil.example", "//act/e"));
    }

    #[test]
    fn pages_of_others_are_told_apart() {
        let checked = |headers: &[(&'static str, &'static str)]| {
            let mut map = HeaderMap::new();
            for (name, value) in headers {
                map.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
            }
            check_origin(&map, &["localhost:7300", "agon.example"]).is_ok()
        };
        assert!(checked(&[]));
        assert!(checked(&[("origin", "http://localhost:7300"), ("sec-fetch-site", "same-origin")]));
        assert!(checked(&[("origin", "https://agon.example"), ("sec-fetch-site", "same-origin")]));
        assert!(!checked(&[("origin", "http://evil.example")]));
        assert!(!checked(&[("origin", "null")]));
        assert!(!checked(&[("origin", "http://localhost:7301")]));
        assert!(!checked(&[("sec-fetch-site", "cross-site")]));
        assert!(!checked(&[("sec-fetch-site", "same-site")]));
    }
}
