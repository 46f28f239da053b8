//! Games on many machines: from the arguments to a coordinator.

use std::path::PathBuf;
use std::sync::Arc;

use agon_arena::RunError;
use agon_arena::tournament::Tournament;
use agon_arena::venue::VenueError;
use agon_arena::workers::Workers;
use agon_search::AgentError;
use agon_wire::nats::{Access, Coordinator, Credentials, NatsError, Notice, Orders, Secret};

use crate::args::{AccessArgs, ElsewhereArgs};
use crate::draw::palette::ERROR;
use crate::draw::styled;
use crate::failure::bad_input;
use crate::progress::Voice;

/// A variable of the environment, if it is set.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// How the broker of these arguments is reached. Secrets come from files or the environment.
pub(crate) fn access(url: &str, args: &AccessArgs) -> anyhow::Result<Access> {
    let refused = |error: NatsError| bad_input(error.to_string());
    let read = |file: &PathBuf| Secret::read(file).map_err(refused);
    let creds = args.nats_creds.clone().or_else(|| variable("AGON_NATS_CREDS").map(PathBuf::from));
    let nkey = args.nats_nkey.clone().or_else(|| variable("AGON_NATS_NKEY").map(PathBuf::from));
    let user = args.nats_user.clone().or_else(|| variable("AGON_NATS_USER"));
    let token = match &args.nats_token_file {
        Some(file) => Some(read(file)?),
        None => variable("AGON_NATS_TOKEN").map(|token| Secret::new(&token)),
    };
    let credentials = match (creds, nkey, user, token) {
        (Some(file), ..) => {
            // Found now, not when the broker asks.
            Secret::read(&file).map_err(refused)?;
            Credentials::File(file)
        }
        (_, Some(file), ..) => Credentials::Nkey(read(&file)?),
        (_, _, Some(user), _) => {
            let password = match &args.nats_password_file {
                Some(file) => read(file)?,
                None => Secret::new(&variable("AGON_NATS_PASSWORD").ok_or_else(|| {
                    let problem = "a user of the broker needs a password";
                    bad_input(format!("{problem}: AGON_NATS_PASSWORD or --nats-password-file"))
                })?),
            };
            Credentials::Password(user, password)
        }
        (.., Some(token)) => Credentials::Token(token),
        _ => Credentials::None,
    };
    let access = Access::new(url).map_err(refused)?;
    Ok(access.with(credentials).trusting(args.nats_ca.clone()))
}

/// How games are played elsewhere, if they are.
pub(crate) fn orders(args: &ElsewhereArgs, voice: Voice) -> anyhow::Result<Option<Orders>> {
    let Some(url) = &args.nats else { return Ok(None) };
    let notices = move |notice: Notice| match notice {
        Notice::Remark(text) => voice.say(&text),
        Notice::Warning(text) => voice.say(&format!("{} {text}", styled(ERROR, "warning:"))),
    };
    Ok(Some(Orders {
        access: access(url, &args.access)?,
        replicas: args.replicas.into(),
        ack_wait: args.ack_wait,
        metrics: args.metrics,
        notices: Arc::new(notices),
    }))
}

/// Makes a coordinator for a tournament.
pub(crate) fn hire(orders: &Orders, tournament: &Tournament) -> Result<Box<dyn Workers>, RunError> {
    let opened = Coordinator::open(tournament, orders);
    let failed = |error: NatsError| match error {
        NatsError::Agent { agent, problem } => AgentError::new(agent, problem).into(),
        other => RunError::Venue(VenueError::Elsewhere(other.to_string())),
    };
    Ok(Box::new(opened.map_err(failed)?))
}
