//! The server: where it listens, how it begins and how it ends.

use std::io::{self, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener as StdListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use agon_arena::Registry;
use agon_arena::contest::Environments;
use agon_arena::cores::Cores;
use agon_arena::files::shown;
use agon_arena::fleet::Lookout;
use agon_arena::store::StoreError;
use axum::extract::{DefaultBodyLimit, Request};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::{Router, middleware};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_io_timeout::TimeoutStream;
use tower_http::catch_panic::CatchPanicLayer;

use crate::aisysproj::{self, Course};
use crate::api::{self, App, Tournaments};
use crate::assets::{self, Frame};
use crate::clients::Clients;
use crate::error::{ApiError, Code};
use crate::guard::{self, Guard};
use crate::host::Host;
use crate::keeper::Keeper;
use crate::limits;
use crate::live::Hub;
use crate::occupancy::{Occupancy, OtherServer};
use crate::pool::Pool;
use crate::rivals::{Programs, Rivals, Secret};
use crate::shares::{Share, Shares};

/// The default port. If it is taken, one of the next is used.
pub const PORT: u16 = 7300;
/// How many ports are tried.
const PORTS: u16 = 100;
/// How long requests in progress may take when the server shuts down.
const SHUTDOWN: Duration = Duration::from_secs(5);
/// How often idle games and agents are dropped from memory.
const SWEEP: Duration = Duration::from_secs(15);

/// How the server is started.
pub struct Options {
    /// The data folder.
    pub data: PathBuf,
    /// Where to listen; by default the first free port of this machine.
    pub listen: Option<SocketAddr>,
    /// The server's public name behind a proxy: a host name, and a port if it is not the default.
    pub name: Option<String>,
    /// Agent texts may start programs.
    pub allow_programs: bool,
    /// How many threads search; by default one per core but one.
    pub threads: Option<usize>,
    /// The available agents.
    pub registry: Registry,
    /// The environments in which accounts play over the network.
    pub environments: Environments,
    /// The random seed of their runs.
    pub seed: u64,
    /// Serves only these environments and their pages.
    pub only_contest: bool,
    /// Sees the workers on other machines. Without it there is no page of workers.
    pub lookout: Option<Arc<dyn Lookout>>,
}

/// Why the server cannot start.
#[derive(thiserror::Error, Debug)]
pub enum StartError {
    /// The address cannot be listened on.
    #[error("cannot listen on {0}: {1}{advice}", advice = advice(.1))]
    Listen(SocketAddr, #[source] io::Error),
    /// The store cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Another server has the games of the data folder.
    #[error(
        "the games in {} are served already{}: end that server first, or use another data folder \
         with --data DIR", shown(.folder), other(*.by)
    )]
    Taken {
        /// The data folder.
        folder: PathBuf,
        /// The other server, if it says who it is.
        by: Option<OtherServer>,
    },
    /// The file that says who has the data folder cannot be used.
    #[error("{} cannot be used: {source}", shown(.file))]
    Lock {
        /// The file.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Something else.
    #[error("{0}")]
    Other(String),
}

fn other(server: Option<OtherServer>) -> String {
    server.map_or_else(String::new, |server| format!(" {server}"))
}

/// What may help if the server cannot listen.
fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::AddrInUse => {
            "; another program uses this port: leave out --listen to use a free one"
        }
        io::ErrorKind::PermissionDenied => "; ports below 1024 usually need special permissions",
        io::ErrorKind::AddrNotAvailable => "; this machine does not have that address",
        _ => "",
    }
}

/// A server that is bound to its port, and answers once it runs.
pub struct Server {
    listener: StdListener,
    address: SocketAddr,
    secret: Option<Secret>,
    guard: Guard,
    clients: Clients,
    /// Whether only this machine can reach the server.
    alone: bool,
    only_contest: bool,
    hub: Arc<Hub>,
    course: Arc<Course>,
    host: Arc<Host>,
    tournaments: Arc<Tournaments>,
    lookout: Option<Arc<dyn Lookout>>,
    occupancy: Occupancy,
}

impl Server {
    /// Opens the store and the port. The games of the data folder are this server's alone from then
    /// on; where the folder cannot be written, they can be looked at.
    pub fn bind(options: Options) -> Result<Server, StartError> {
        let keeper = Keeper::open(&options.data)?;
        let mut occupancy = if keeper.is_read_only() {
            let folder = shown(&options.data);
            tracing::warn!("{folder} cannot be written: games can be looked at, not played");
            Occupancy::of_nothing()
        } else {
            Occupancy::take(&options.data)?
        };
        let (listener, address) = listen(options.listen)?;
        occupancy.announce(address);
        let alone = address.ip().is_loopback() && options.name.is_none();
        // Other users of this machine are strangers, too.
        let has_secret = options.allow_programs || !alone;
        let secret = has_secret.then(Secret::random).transpose().map_err(StartError::Other)?;
        let programs = secret.clone().filter(|_| options.allow_programs);
        let programs = programs.map_or(Programs::Refused, Programs::WithSecret);
        let cores = Cores::of_machine();
        let owner = secret.clone().filter(|_| !alone);
        let host = Host::new(&options.data, cores.clone(), owner);
        let tournaments = Tournaments::new(host.clone(), &options.data);
        let pool = Pool::new(options.threads.unwrap_or_else(thinking_threads), &cores);
        let rivals = Rivals::new(options.registry, programs, pool.threads());
        let course =
            Course::open(options.environments, keeper.clone(), options.seed, pool.threads());
        let course = Arc::new(course?);
        let guard = Guard::new(address, options.name.as_deref());
        let clients = Clients::new(options.name.is_some());
        let hub = Hub::new(keeper, pool, rivals, &cores);
        Ok(Server {
            listener,
            address,
            secret,
            guard,
            clients,
            alone,
            only_contest: options.only_contest,
            hub,
            course,
            host,
            tournaments: Arc::new(tournaments),
            lookout: options.lookout,
            occupancy,
        })
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Whether only this machine can reach the server.
    pub fn is_alone(&self) -> bool {
        self.alone
    }

    /// The secret of those who run the server, if one is needed: it lets agent texts start programs,
    /// and on servers that others can reach it lets tournaments be begun.
    pub fn secret(&self) -> Option<&str> {
        self.secret.as_ref().map(Secret::reveal)
    }

    /// Serves until `stop` completes; then gives open requests a few seconds to finish.
    pub async fn run(self, stop: impl Future<Output = ()>) -> io::Result<()> {
        let _until_the_end = self.occupancy;
        self.listener.set_nonblocking(true)?;
        let listener = TcpListener::from_std(self.listener)?;
        let (hub, course, tournaments) = (self.hub.clone(), self.course, self.tournaments);
        let app = App::new(hub, course, tournaments, self.lookout, self.alone);
        if !self.only_contest && !self.hub.keeper.is_read_only() {
            let (host, hub) = (self.host.clone(), self.hub.clone());
            tokio::task::spawn_blocking(move || host.resume_all(&hub.rivals));
        }
        let service = TowerToHyperService::new(router(app, self.guard, self.only_contest));
        let door = Door { clients: self.clients, places: Shares::new(limits::CONNECTIONS) };
        let (closing, closed) = watch::channel(());
        let mut sweep = tokio::time::interval(SWEEP);
        tokio::pin!(stop);
        loop {
            tokio::select! {
                () = &mut stop => break,
                _ = sweep.tick() => self.hub.sweep(),
                accepted = accept(&listener) => {
                    let Some((stream, from)) = accepted else { continue };
                    let Some(place) = door.admit(from) else { refuse(stream); continue };
                    let caller = Caller { from, place, door: door.clone() };
                    tokio::spawn(caller.answer(stream, service.clone(), closed.clone()));
                }
            }
        }
        drop((listener, closing));
        let host = self.host;
        host.stop_all();
        let everybody = async {
            let ending = tokio::task::spawn_blocking(move || host.close());
            let _ = tokio::join!(self.hub.close(), ending);
            while door.places.taken() > 0 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        let _ = tokio::time::timeout(SHUTDOWN, everybody).await;
        Ok(())
    }
}

/// Who may come in.
#[derive(Clone)]
struct Door {
    clients: Clients,
    places: Shares,
}

impl Door {
    /// A place for a connection from this address, unless its client has its share. Many clients share
    /// the connections of a proxy, which it limits itself.
    fn admit(&self, from: IpAddr) -> Option<Share> {
        match self.clients.is_proxy(from) {
            true => self.places.take_any(),
            false => self.places.take(self.clients.at(from)),
        }
    }
}

/// Somebody with a connection.
struct Caller {
    from: IpAddr,
    place: Share,
    door: Door,
}

impl Caller {
    /// Answers the requests of a connection. When `closed` changes, the current request is the last.
    async fn answer(
        self,
        stream: TcpStream,
        service: TowerToHyperService<Router>,
        mut closed: watch::Receiver<()>,
    ) {
        let Caller { from, place, door: Door { clients, places } } = self;
        let mut stream = TimeoutStream::new(stream);
        // A client that does not read its answers must not hold a connection for ever.
        stream.set_write_timeout(Some(limits::SENDING));
        let stream = Box::pin(stream);
        let service = service_fn(move |mut request: hyper::Request<Incoming>| {
            let client = clients.of(from, request.headers());
            request.extensions_mut().insert(client);
            service.call(request)
        });
        let patience = if places.are_scarce() { limits::HEAD_IN_NEED } else { limits::HEAD };
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(patience)
            .max_buf_size(limits::BUFFER)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        tokio::pin!(connection);
        // A client that disconnects is no error.
        tokio::select! {
            _ = &mut connection => {}
            _ = closed.changed() => {
                connection.as_mut().graceful_shutdown();
                let _ = connection.await;
            }
        }
        drop(place);
    }
}

/// The next connection. It is accepted even if there is no room, so that nobody waits behind those who
/// are refused.
async fn accept(listener: &TcpListener) -> Option<(TcpStream, IpAddr)> {
    match listener.accept().await {
        Ok((stream, from)) => {
            // Answers are small and must not be delayed.
            let _ = stream.set_nodelay(true);
            Some((stream, from.ip()))
        }
        Err(error) => {
            tracing::warn!("cannot accept a connection: {error}");
            tokio::time::sleep(Duration::from_millis(100)).await;
            None
        }
    }
}

/// Says why a connection is closed, if that can be done without waiting.
fn refuse(stream: TcpStream) {
    const WHY: &str =
        "too many connections from your network: close some, or try again in a moment";
    let body = format!(r#"{{"error":{{"code":"busy","message":"{WHY}"}}}}"#);
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\n\
         content-length: {}\r\nretry-after: 1\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    if let Ok(mut stream) = stream.into_std() {
        let _ = stream.write(answer.as_bytes());
    }
}

/// Everything the server answers.
pub fn router(app: App, guard: Guard, only_contest: bool) -> Router {
    let course = app.course.clone();
    let frame = match app.lookout {
        _ if only_contest => Frame::Contest,
        Some(_) => Frame::WithWorkers,
        None => Frame::Workbench,
    };
    let panicked = |_: Box<dyn std::any::Any + Send>| {
        ApiError::failed("internal error; please report it").into_response()
    };
    Router::new()
        .nest("/api", api::router(app.clone(), only_contest))
        .merge(api::results(app))
        .fallback(move |request| assets::serve(request, frame))
        .layer(DefaultBodyLimit::max(limits::BODY))
        .merge(aisysproj::router(course))
        .layer(middleware::from_fn(in_time))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn_with_state(guard, guard::watch))
}

/// Times out requests that take too long, usually because their body does not arrive.
async fn in_time(request: Request, next: Next) -> Response {
    match tokio::time::timeout(limits::REQUEST, next.run(request)).await {
        Ok(response) => response,
        Err(_) => ApiError::new(Code::TooSlow, "the request timed out: try again").into_response(),
    }
}

/// The port that is given, or the first free one.
fn listen(given: Option<SocketAddr>) -> Result<(StdListener, SocketAddr), StartError> {
    let bound = |address: SocketAddr| -> io::Result<_> {
        let listener = StdListener::bind(address)?;
        let address = listener.local_addr()?;
        Ok((listener, address))
    };
    if let Some(address) = given {
        return bound(address).map_err(|error| StartError::Listen(address, error));
    }
    let local = |port| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
    let mut ports = PORT..PORT + PORTS;
    let found = ports.find_map(|port| bound(local(port)).ok());
    match found {
        Some(found) => Ok(found),
        // Any free port.
        None => bound(local(0)).map_err(|error| StartError::Listen(local(PORT), error)),
    }
}

/// One per core, leaving one core for everything else if there are several.
fn thinking_threads() -> usize {
    std::thread::available_parallelism().map_or(1, |all| all.get().saturating_sub(1).max(1))
}
