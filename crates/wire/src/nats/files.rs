//! Files by their checksums: on the broker, and in a folder here. What arrives is checked, whoever
//! sent it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use agon_arena::fingerprint::checksum;
use async_nats::jetstream::Context;
use tokio::io::AsyncReadExt;
use tokio::time::timeout;

use super::NatsError;
use super::access::chain;
use super::broker;
use super::messages::is_checksum;
use super::names::FILES_AGE;

/// How long a file may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// Stores a file on the broker, unless it is there and stays for a while.
pub(crate) async fn put(broker: &Context, contents: &[u8]) -> Result<String, NatsError> {
    let name = checksum(contents);
    let failed = |problem: String| NatsError::File { what: name.clone(), problem };
    let bucket = broker::files(broker).await?;
    if let Ok(info) = bucket.info(&name).await
        && info.size == contents.len()
        && info.modified.is_some_and(|stored| is_fresh(stored.unix_timestamp()))
    {
        return Ok(name);
    }
    let mut rest = contents;
    let put = timeout(PATIENCE, bucket.put(name.as_str(), &mut rest)).await;
    let put = put.map_err(|_| failed("the broker does not take it".into()))?;
    put.map_err(|error| failed(chain(&error)))?;
    Ok(name)
}

/// Whether a file that was stored then, in seconds, is not removed soon.
fn is_fresh(stored: i64) -> bool {
    let age = agon_arena::store::now() / 1000 - stored;
    u64::try_from(age).is_ok_and(|age| age < FILES_AGE.as_secs() / 2)
}

/// Fetches a file of at most this size from the broker.
pub(crate) async fn get(broker: &Context, name: &str, most: u64) -> Result<Vec<u8>, NatsError> {
    // Parts may be missing, and then they are waited for without end.
    let got = timeout(PATIENCE, get_at_leisure(broker, name, most)).await;
    got.unwrap_or_else(|_| {
        Err(NatsError::File { what: name.into(), problem: "it does not arrive".into() })
    })
}

async fn get_at_leisure(broker: &Context, name: &str, most: u64) -> Result<Vec<u8>, NatsError> {
    let failed = |problem: String| NatsError::File { what: name.to_string(), problem };
    if !is_checksum(name) {
        return Err(failed("that is no checksum".into()));
    }
    let bucket = broker::files(broker).await?;
    let object = bucket.get(name).await.map_err(|error| failed(chain(&error)))?;
    let claimed = object.info().size as u64;
    if claimed > most {
        return Err(failed(format!("{claimed} bytes are too many")));
    }
    let mut contents = Vec::new();
    // What is stored may be more than what is claimed.
    let read = object.take(most + 1).read_to_end(&mut contents).await;
    read.map_err(|error| failed(chain(&error)))?;
    if contents.len() as u64 > most {
        return Err(failed(format!("more than {most} bytes")));
    }
    match checksum(&contents) == name {
        true => Ok(contents),
        false => Err(failed("its contents do not have this checksum".into())),
    }
}

/// Fetches a file into a folder, unless it is there. Returns where it is.
pub(crate) async fn fetch(
    broker: &Context,
    folder: &Path,
    name: &str,
    most: u64,
) -> Result<PathBuf, NatsError> {
    let failed = |error: std::io::Error| NatsError::System { what: "cannot keep a file", error };
    let path = folder.join(name);
    if is_checksum(name)
        && let Ok(contents) = fs::read(&path)
        && checksum(&contents) == name
    {
        return Ok(path);
    }
    let contents = get(broker, name, most).await?;
    keep(&path, &contents).map_err(failed)?;
    Ok(path)
}

/// Writes a file as a whole: it appears with all its contents or not at all.
pub(crate) fn keep(path: &Path, contents: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let unique = format!(".{name}.{}-{:?}", std::process::id(), std::thread::current().id());
    let beside = folder.join(unique.replace(['(', ')'], ""));
    let written = fs::File::create(&beside).and_then(|mut file| file.write_all(contents));
    let placed = written.and_then(|()| fs::rename(&beside, path));
    if placed.is_err() {
        let _ = fs::remove_file(&beside);
    }
    placed
}
