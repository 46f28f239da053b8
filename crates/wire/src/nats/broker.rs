//! The streams and buckets on the broker.

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, PullConsumer, pull};
use async_nats::jetstream::object_store::ObjectStore;
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{Context, object_store};
use futures_util::{StreamExt, TryStreamExt};

use super::NatsError;
use super::access::chain;
use super::names::{
    ALL_RESULTS, ALL_UNITS, FILES, FILES_AGE, LOCK_AGE, LOCKS, RESULTS, RESULTS_AGE, UNITS,
    UNITS_AGE, results,
};

/// How many bytes of units may wait. The broker reserves all three at once, and by default it takes
/// no more than a part of its disk.
const MOST_UNITS: i64 = 256 << 20;
/// How many bytes of results may wait.
const MOST_RESULTS: i64 = 1 << 30;
/// How many bytes of files are kept.
const MOST_FILES: i64 = 1 << 30;
/// For how long a class that nobody needs is kept.
const UNUSED_CLASS: Duration = Duration::from_secs(24 * 3600);

/// Turns an answer of the broker into an error that says what was asked.
pub(crate) fn refused<E: std::error::Error>(
    what: impl Into<String>,
) -> impl FnOnce(E) -> NatsError {
    let what = what.into();
    move |error| NatsError::Broker { what, problem: chain(&error) }
}

fn work_queue(name: &str, subject: &str, most_bytes: i64, replicas: usize) -> Config {
    Config {
        name: name.into(),
        subjects: vec![subject.into()],
        retention: RetentionPolicy::WorkQueue,
        storage: StorageType::File,
        num_replicas: replicas,
        max_bytes: most_bytes,
        // A full queue refuses what is new: nothing that was accepted is lost.
        discard: DiscardPolicy::New,
        duplicate_window: Duration::from_secs(120),
        ..Config::default()
    }
}

/// Creates what a coordinator needs, where it does not exist. What exists stays as it is: an
/// administrator may have chosen other limits.
pub(crate) async fn prepare(broker: &Context, replicas: usize) -> Result<(), NatsError> {
    let units = Config { max_age: UNITS_AGE, ..work_queue(UNITS, ALL_UNITS, MOST_UNITS, replicas) };
    let created = broker.get_or_create_stream(units).await;
    created.map_err(refused("create the queue of units"))?;
    let returned =
        Config { max_age: RESULTS_AGE, ..work_queue(RESULTS, ALL_RESULTS, MOST_RESULTS, replicas) };
    let created = broker.get_or_create_stream(returned).await;
    created.map_err(refused("create the queue of results"))?;
    if broker.get_object_store(FILES).await.is_err() {
        let config = object_store::Config {
            bucket: FILES.into(),
            max_age: FILES_AGE,
            max_bytes: MOST_FILES,
            num_replicas: replicas,
            ..object_store::Config::default()
        };
        let created = broker.create_object_store(config).await;
        created.map_err(refused("create the bucket of files"))?;
    }
    // The stream of a key-value bucket, made by hand: the library asks for the account first, and does
    // not understand the answer of brokers before 2.10.
    let locks = Config {
        name: format!("KV_{LOCKS}"),
        subjects: vec![format!("$KV.{LOCKS}.>")],
        max_messages_per_subject: 1,
        max_age: LOCK_AGE,
        max_message_size: 4096,
        allow_rollup: true,
        deny_delete: true,
        allow_direct: true,
        num_replicas: replicas,
        discard: DiscardPolicy::New,
        ..Config::default()
    };
    let created = broker.get_or_create_stream(locks).await;
    created.map_err(refused("create the bucket of locks"))?;
    Ok(())
}

/// The queue of units.
pub(crate) async fn units(broker: &Context) -> Result<Stream, NatsError> {
    broker.get_stream(UNITS).await.map_err(refused("open the queue of units"))
}

/// The bucket of files.
pub(crate) async fn files(broker: &Context) -> Result<ObjectStore, NatsError> {
    broker.get_object_store(FILES).await.map_err(refused("open the bucket of files"))
}

/// The consumer that all workers of a class share. Its description says what the class requires.
pub(crate) async fn class_consumer(
    broker: &Context,
    class: &str,
    requirement: &str,
    ack_wait: Duration,
) -> Result<(), NatsError> {
    let config = pull::Config {
        durable_name: Some(class.to_string()),
        description: Some(requirement.to_string()),
        filter_subject: format!("agon.units.{class}.*"),
        ack_policy: AckPolicy::Explicit,
        deliver_policy: DeliverPolicy::All,
        ack_wait,
        // Delivered without limit: the coordinator names a unit that nobody finishes.
        max_deliver: -1,
        max_ack_pending: 65_536,
        max_waiting: 16_384,
        inactive_threshold: UNUSED_CLASS,
        ..pull::Config::default()
    };
    let stream = units(broker).await?;
    let made = stream.create_consumer(config).await;
    made.map(drop).map_err(refused(format!("make the consumer of class {class}")))
}

/// The consumer of a run's results for one coordinator. Those of earlier ones are removed: what they
/// had taken and not finished is delivered at once, and whoever still lives gets nothing any more.
pub(crate) async fn results_consumer(
    broker: &Context,
    run: &str,
    holder: &str,
) -> Result<PullConsumer, NatsError> {
    let stream = broker.get_stream(RESULTS).await.map_err(refused("open the queue of results"))?;
    let (name, prefix) = (format!("run-{run}-{holder}"), format!("run-{run}-"));
    let mut names = stream.consumer_names();
    while let Some(Ok(other)) = names.next().await {
        if other.starts_with(&prefix) && other != name {
            // If it is gone already, so much the better.
            let _ = stream.delete_consumer(&other).await;
        }
    }
    let config = pull::Config {
        durable_name: Some(name),
        filter_subject: results(run),
        ack_policy: AckPolicy::Explicit,
        deliver_policy: DeliverPolicy::All,
        ack_wait: Duration::from_secs(30),
        max_deliver: -1,
        max_ack_pending: 65_536,
        inactive_threshold: RESULTS_AGE,
        ..pull::Config::default()
    };
    let made = broker.create_consumer_on_stream(config, RESULTS).await;
    made.map_err(refused("make the consumer of results"))
}

/// Removes what is queued of a run: its units, and also its results and their consumer if they are
/// no longer wanted.
pub(crate) async fn forget(
    broker: &Context,
    run: &str,
    with_results: Option<&str>,
) -> Result<(), NatsError> {
    let queue = units(broker).await?;
    let purged = queue.purge().filter(format!("agon.units.*.{run}")).await;
    purged.map_err(refused("empty the queue of units"))?;
    if let Some(consumer) = with_results {
        let queue = broker.get_stream(RESULTS).await;
        let queue = queue.map_err(refused("open the queue of results"))?;
        let purged = queue.purge().filter(results(run)).await;
        purged.map_err(refused("empty the queue of results"))?;
        // It exists only for this run. If it stays, the broker removes it when it is old.
        let _ = queue.delete_consumer(consumer).await;
    }
    Ok(())
}

/// How many units of a run are in the queue, those being played included.
pub(crate) async fn queued(broker: &Context, run: &str) -> Result<usize, NatsError> {
    let stream = units(broker).await?;
    let counted = stream.info_with_subjects(format!("agon.units.*.{run}")).await;
    let counted = counted.map_err(refused("count the units"))?;
    let counts: Vec<(String, usize)> =
        counted.try_collect().await.map_err(refused("count the units"))?;
    Ok(counts.into_iter().map(|(_, count)| count).sum())
}
