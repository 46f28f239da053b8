//! The classes of units there are, and which of them this worker can play.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use agon_arena::fleet::Refusal;
use async_nats::jetstream::consumer::PullConsumer;
use futures_util::StreamExt;

use super::super::files;
use super::super::names::{LARGEST_DOCUMENT, UNITS, is_token, short};
use super::super::requirement::{Here, Requirement};
use super::{Worker, abilities};

/// How often the classes are looked up.
const REFRESH: Duration = Duration::from_secs(1);
/// The most classes with units that are looked at.
const MOST: usize = 1000;

/// A class that this worker can play.
#[derive(Clone)]
pub(super) struct Class {
    pub name: String,
    pub needs: Needs,
    pub ack_wait: Duration,
    pub consumer: PullConsumer,
}

/// What one unit takes while it is played.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needs {
    pub cores: usize,
    pub memory_mib: u64,
}

/// What is known of a class: what it takes, or why it cannot be played here.
type Judgement = Result<Needs, String>;

/// What is known of the classes.
#[derive(Default)]
pub(super) struct Classes {
    looked: Option<Instant>,
    /// With the checksum of what each class needs.
    known: BTreeMap<String, (String, Judgement)>,
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
            let name = info.name.clone();
            let sum = info.config.description.clone().unwrap_or_default();
            let idle = info.num_pending == 0 && info.num_ack_pending == 0;
            if idle || !is_token(&name) {
                continue;
            }
            count += 1;
            if count > MOST {
                break;
            }
            match self.judge(worker, &name, &sum).await {
                Some(Ok(needs)) if !worker.tally.is_shunned(&name) => {
                    let Ok(consumer) = stream.get_consumer(&name).await else { continue };
                    let ack_wait = info.config.ack_wait;
                    eligible.push(Class { name, needs, ack_wait, consumer });
                }
                Some(Err(reason)) => refusals.push(Refusal { run: name, reason }),
                _ => {}
            }
        }
        refusals.extend(worker.tally.shunned());
        worker.tally.refuse(refusals);
        self.eligible = eligible;
    }

    /// Whether a class can be played; `None` if that cannot be found out now.
    async fn judge(&mut self, worker: &Worker, name: &str, sum: &str) -> Option<Judgement> {
        if let Some((_, judged)) = self.known.get(name).filter(|(known, _)| known == sum) {
            return Some(judged.clone());
        }
        let contents = files::get(&worker.broker, sum, LARGEST_DOCUMENT).await.ok()?;
        let judged = match serde_json::from_slice::<Requirement>(&contents) {
            Err(error) => Err(format!("what it needs cannot be read: {error}")),
            Ok(requirement) if requirement.class() != name => {
                Err("its name does not fit what it needs".into())
            }
            Ok(requirement) => match requirement.unmet(&here(worker)) {
                Some(reason) => Err(short(&reason)),
                None => {
                    let Requirement { cores, memory_mib, .. } = requirement;
                    Ok(Needs { cores, memory_mib })
                }
            },
        };
        if let Err(reason) = &judged {
            worker.warn(format!("games are left to others: {reason}"));
        }
        if self.known.len() > MOST {
            self.known.clear();
        }
        self.known.insert(name.to_string(), (sum.to_string(), judged.clone()));
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
