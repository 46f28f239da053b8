//! Numbers for Prometheus, as text over HTTP.

use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::NatsError;

/// How long one request may take.
const PATIENCE: Duration = Duration::from_secs(2);
/// The longest request.
const LONGEST: usize = 8 << 10;

/// One number with its name and meaning.
#[derive(Clone, Debug)]
pub(crate) struct Metric {
    pub name: &'static str,
    pub help: &'static str,
    /// Whether it only ever grows.
    pub counts: bool,
    /// Labels and values.
    pub values: Vec<(Vec<(&'static str, String)>, f64)>,
}

impl Metric {
    /// A number without labels.
    pub fn plain(name: &'static str, help: &'static str, counts: bool, value: f64) -> Metric {
        Metric { name, help, counts, values: vec![(Vec::new(), value)] }
    }
}

/// Metrics in the text format of Prometheus.
pub(crate) fn text(metrics: &[Metric]) -> String {
    let mut text = String::new();
    for Metric { name, help, counts, values } in metrics {
        let kind = if *counts { "counter" } else { "gauge" };
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
        for (labels, value) in values {
            let label = |(key, value): &(&str, String)| format!("{key}=\"{}\"", escaped(value));
            let labels: Vec<String> = labels.iter().map(label).collect();
            let labels =
                if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
            let _ = writeln!(text, "{name}{labels} {value}");
        }
    }
    text
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// Serves metrics until the process ends. One request at a time: a scraper asks every few seconds.
pub(crate) fn serve(
    address: SocketAddr,
    metrics: Arc<dyn Fn() -> Vec<Metric> + Send + Sync>,
) -> Result<SocketAddr, NatsError> {
    let failed = |error| NatsError::System { what: "cannot serve metrics", error };
    let listener = TcpListener::bind(address).map_err(failed)?;
    let bound = listener.local_addr().map_err(failed)?;
    let work = move || {
        for stream in listener.incoming().flatten() {
            // Whatever goes wrong is the scraper's problem; it will ask again.
            let _ = answer(stream, &*metrics);
        }
    };
    thread::Builder::new().name("metrics".into()).spawn(work).map_err(failed)?;
    Ok(bound)
}

fn answer(mut stream: TcpStream, metrics: &dyn Fn() -> Vec<Metric>) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let (mut request, begun) = (Vec::new(), Instant::now());
    let mut chunk = [0; 1024];
    while !request.windows(4).any(|end| end == b"\r\n\r\n") {
        let count = stream.read(&mut chunk)?;
        request.extend_from_slice(chunk.get(..count).unwrap_or_default());
        if count == 0 || request.len() > LONGEST || begun.elapsed() > PATIENCE {
            return Ok(());
        }
    }
    let wanted = ["GET /metrics ", "GET / "];
    let (status, body) = match wanted.iter().any(|start| request.starts_with(start.as_bytes())) {
        true => ("200 OK", text(&metrics())),
        false => ("404 Not Found", "there is only /metrics\n".to_string()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_served_as_text_and_nothing_else_is() {
        let labels = vec![("run", "a \"b\"\\\n".to_string())];
        let metric = Metric { name: "x", help: "An x.", counts: true, values: vec![(labels, 2.5)] };
        let metrics: Arc<dyn Fn() -> Vec<Metric> + Send + Sync> =
            Arc::new(move || vec![metric.clone(), Metric::plain("y", "A y.", false, 1.0)]);
        let address = serve("127.0.0.1:0".parse().unwrap(), metrics).unwrap();
        let ask = |request: &str| {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(request.as_bytes()).unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            answer
        };
        let found = ask("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
        let body = "# HELP x An x.\n# TYPE x counter\nx{run=\"a \\\"b\\\"\\\\\\n\"} 2.5\n\
                    # HELP y A y.\n# TYPE y gauge\ny 1\n";
        assert!(found.starts_with("HTTP/1.1 200 OK") && found.ends_with(body), "{found}");
        assert!(ask("POST /metrics HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 404"));
    }
}
