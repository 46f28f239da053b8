//! Checks every request: which hosts and origins are allowed, and what browsers may do with the
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
use crate::limits;

/// Only this server's own files, and no inline scripts or styles.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// The names by which the server may be addressed.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The address, if only this machine can reach it. A request by another name then comes from a
    /// page whose name was pointed at this address (DNS rebinding).
    loopback: Option<SocketAddr>,
    /// The public name, behind a proxy.
    name: Option<Arc<str>>,
}

impl Guard {
    /// A guard for a server at this address, with this public name.
    pub fn new(address: SocketAddr, name: Option<&str>) -> Guard {
        let loopback = Some(address).filter(|address| address.ip().is_loopback());
        Guard { loopback, name: name.map(Arc::from) }
    }

    fn check(&self, request: &Request) -> Result<(), ApiError> {
        check_head(request)?;
        // Agents send a password with every request, which no page knows.
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
            let hint = "behind a proxy, give its public name with --name";
            let message = format!("this server is not {host:?}: use http://{address}; {hint}");
            return Err(ApiError::new(Code::Forbidden, message));
        }
        let reads = matches!(*request.method(), Method::GET | Method::HEAD);
        // Browsers let a page of any origin open a WebSocket and read from it.
        if reads && !headers.contains_key(UPGRADE) {
            return Ok(());
        }
        // A proxy may or may not pass on the Host header.
        check_origin(headers, &[host, self.name.as_deref().unwrap_or(host)])
    }
}

/// The head of a request is small: addresses here are short, and there are no cookies.
fn check_head(request: &Request) -> Result<(), ApiError> {
    let uri = request.uri();
    let address = uri.path().len() + uri.query().map_or(0, str::len);
    let headers = request.headers().iter();
    let headers: usize = headers.map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    if address + headers <= limits::HEAD_BYTES {
        return Ok(());
    }
    let message = format!(
        "the address and the headers of a request have at most {} bytes together, not {}",
        limits::HEAD_BYTES,
        address + headers
    );
    Err(ApiError::new(Code::HeadTooLarge, message))
}

fn is_for_agents(path: &str) -> bool {
    path.trim_start_matches('/').starts_with("act/")
}

/// Browsers send the origin of a page; other programs send none, and no page controls them.
fn check_origin(headers: &HeaderMap, hosts: &[&str]) -> Result<(), ApiError> {
    let own = |origin: &str| {
        let name = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        name.is_some_and(|name| hosts.iter().any(|host| name.eq_ignore_ascii_case(host)))
    };
    let foreign_page = headers.contains_key(ORIGIN) && !text(headers, ORIGIN).is_some_and(own);
    let site = text(headers, HeaderName::from_static("sec-fetch-site"));
    let foreign_site = site.is_some_and(|site| !matches!(site, "same-origin" | "none"));
    if foreign_page || foreign_site {
        let message = "only this server's own pages may do that";
        return Err(ApiError::new(Code::Forbidden, message));
    }
    Ok(())
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Whether this is a loopback name with the server's port.
fn is_loopback_name(host: &str, port: u16) -> bool {
    let name = match host.strip_suffix(&format!(":{port}")) {
        Some(name) => name,
        None if port == 80 => host,
        None => return false,
    };
    ["localhost", "127.0.0.1", "[::1]"].iter().any(|known| name.eq_ignore_ascii_case(known))
        || name.parse::<std::net::Ipv4Addr>().is_ok_and(|address| address.is_loopback())
}

/// Refuses requests that are not allowed, and adds the security headers to every answer.
pub async fn watch(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let mut response = match guard.check(&request) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    let headers = response.headers_mut();
    // The report of an experiment is a page of another kind, with a policy of its own.
    let policy = headers.entry(CONTENT_SECURITY_POLICY);
    policy.or_insert(HeaderValue::from_static(POLICY));
    for (name, value) in [
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
    fn behind_a_proxy_the_public_name_is_allowed_and_agents_may_use_any() {
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
    fn pages_of_other_origins_are_refused() {
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
