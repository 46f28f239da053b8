//! The classes of units there are, and which of them this worker can play.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use agon_arena::fleet::Refusal;
use async_nats::jetstream::consumer::PullConsumer;
use futures_util::StreamExt;

use super::super::files;
use super::super::names::{LARGEST_DOCUMENT, UNITS, is_token};
use super::super::requirement::{Here, Requirement};
use super::{Worker, abilities};

/// How often the classes are looked up.
const REFRESH: Duration = Duration::from_secs(1);
/// The most classes that are looked at.
const MOST: usize = 1000;

/// A class that this worker can play.
#[derive(Clone)]
pub(super) struct Class {
    pub name: String,
    pub cores: usize,
    pub ack_wait: Duration,
    pub consumer: PullConsumer,
}

/// What is known of the classes.
#[derive(Default)]
pub(super) struct Classes {
    looked: Option<Instant>,
    /// Those that can be played, and why others cannot.
    known: BTreeMap<String, Result<(usize, String), (String, String)>>,
    eligible: Vec<Class>,
}

impl Classes {
    /// Those that this worker can play and that have units.
    pub fn eligible(&self) -> &[Class] {
        &self.eligible
    }

    /// Everything is looked up again at once.
    pub fn forget(&mut self) {
        self.looked = None;
        self.eligible.clear();
    }

    /// Looks which classes there are, from time to time.
    pub async fn refresh(&mut self, worker: &Worker) {
        if self.looked.is_some_and(|looked| looked.elapsed() < REFRESH) {
            return;
        }
        self.looked = Some(Instant::now());
        let Ok(stream) = worker.broker.get_stream_no_info(UNITS).await else { return };
        let mut infos = stream.consumers();
        let (mut eligible, mut refusals, mut count) = (Vec::new(), Vec::new(), 0);
        while let Some(Ok(info)) = infos.next().await {
            count += 1;
            let name = info.name.clone();
            let sum = info.config.description.clone().unwrap_or_default();
            if count > MOST || !is_token(&name) {
                break;
            }
            let idle = info.num_pending == 0 && info.num_ack_pending == 0;
            match self.judge(worker, &name, &sum, idle).await {
                Some(Ok(cores)) if !worker.tally.is_shunned(&name) && !idle => {
                    let Ok(consumer) = stream.get_consumer(&name).await else { continue };
                    let ack_wait = info.config.ack_wait;
                    eligible.push(Class { name, cores, ack_wait, consumer });
                }
                Some(Err(reason)) if !idle => refusals.push(Refusal { run: name, reason }),
                _ => {}
            }
        }
        refusals.extend(worker.tally.shunned());
        worker.tally.refuse(refusals);
        self.eligible = eligible;
    }

    /// Whether a class can be played, and with how many cores; `None` if that cannot be found out now.
    async fn judge(
        &mut self,
        worker: &Worker,
        name: &str,
        sum: &str,
        idle: bool,
    ) -> Option<Result<usize, String>> {
        match self.known.get(name) {
            Some(Ok((cores, known))) if known == sum => return Some(Ok(*cores)),
            Some(Err((reason, known))) if known == sum => return Some(Err(reason.clone())),
            _ => {}
        }
        if idle {
            return None;
        }
        let contents = files::get(&worker.broker, sum, LARGEST_DOCUMENT).await.ok()?;
        let judged = match serde_json::from_slice::<Requirement>(&contents) {
            Err(error) => Err(format!("what it needs cannot be read: {error}")),
            Ok(requirement) if requirement.class() != name => {
                Err("its name does not fit what it needs".into())
            }
            Ok(requirement) => match requirement.unmet(&here(worker)) {
                Some(reason) => Err(reason),
                None => Ok(requirement.cores),
            },
        };
        if self.known.len() > MOST {
            self.known.clear();
        }
        let kept = match &judged {
            Ok(cores) => Ok((*cores, sum.to_string())),
            Err(reason) => {
                worker.warn(format!("games are left to others: {reason}"));
                Err((reason.clone(), sum.to_string()))
            }
        };
        self.known.insert(name.to_string(), kept);
        Some(judged)
    }
}

fn here(worker: &Worker) -> Here<'_> {
    Here {
        abilities: &worker.abilities,
        slots: worker.settings.slots,
        at_least: worker.settings.at_least,
        catalog: worker.settings.registry.catalog(),
        python: worker.settings.python.as_deref(),
        finds: abilities::finds,
    }
}
