//! A tournament as workers need it: terms, agents, seed. It is a file that travels like others, by
//! its checksum.

use std::path::Path;

use agon_arena::Agent;
use agon_arena::files::read_whole;
use agon_arena::fixture::Terms;
use agon_arena::openings::Openings;
use agon_arena::tournament::{Changed, Entrant, Format, Tournament};
use agon_core::MAX_SEATS;
use agon_games::Catalog;
use async_nats::jetstream::Context;
use serde::{Deserialize, Serialize};

use super::NatsError;
use super::files;
use super::messages::{PROTOCOL, is_checksum};
use super::names::{LARGEST_DOCUMENT, LARGEST_FILE};
use super::travel::{Parcel, Traveller, pack};

/// The most agents and terms.
const MOST: usize = 65_535;

/// Everything that determines games, apart from the fixtures.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Brief {
    pub protocol: u32,
    pub name: String,
    pub seed: u64,
    pub seats: usize,
    pub replay_disturbed: bool,
    pub reference_speed: Option<u64>,
    pub terms: Vec<BriefTerms>,
    pub agents: Vec<Traveller>,
}

/// Terms as texts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BriefTerms {
    pub variant: String,
    pub pace: String,
    /// `start`, `random:4`, …; a file by its checksum.
    pub openings: String,
    pub file: Option<String>,
}

impl Brief {
    /// The brief of a tournament, and the files that go with it.
    pub fn of(tournament: &Tournament) -> Result<(Brief, Vec<Parcel>), NatsError> {
        let (mut agents, mut parcels) = (Vec::new(), Vec::new());
        for entrant in &tournament.entrants {
            let (traveller, files) = pack(&entrant.agent)?;
            agents.push(traveller);
            parcels.extend(files);
        }
        let mut terms = Vec::new();
        for it in &tournament.terms {
            let (brief, file) = brief_terms(it)?;
            terms.push(brief);
            parcels.extend(file);
        }
        let brief = Brief {
            protocol: PROTOCOL,
            name: tournament.name.clone(),
            seed: tournament.seed,
            seats: tournament.seats,
            replay_disturbed: tournament.replay_disturbed,
            reference_speed: tournament.reference_speed,
            terms,
            agents,
        };
        Ok((brief, parcels))
    }

    /// Stores it on the broker with its files, those that are not there yet. Returns its checksum.
    pub async fn send(
        &self,
        broker: &Context,
        parcels: &[Parcel],
        progress: &mut dyn FnMut(&Path),
    ) -> Result<String, NatsError> {
        for parcel in parcels {
            progress(&parcel.file);
            let lost = |problem: String| NatsError::File {
                what: parcel.file.display().to_string(),
                problem,
            };
            let contents = read_whole(&parcel.file, LARGEST_FILE);
            let contents = contents.map_err(|error| lost(error.to_string()))?;
            if files::put(broker, &contents).await? != parcel.checksum {
                return Err(lost("it has just been changed".into()));
            }
        }
        let text = serde_json::to_vec(self).unwrap_or_default();
        if text.len() as u64 > LARGEST_DOCUMENT {
            let problem = format!("it has {} agents, too many for one run", self.agents.len());
            return Err(NatsError::File { what: format!("tournament {:?}", self.name), problem });
        }
        files::put(broker, &text).await
    }

    /// Reads a brief from the network.
    pub fn read(contents: &[u8]) -> Result<Brief, String> {
        let brief: Brief = serde_json::from_slice(contents).map_err(|error| error.to_string())?;
        let fits = brief.protocol == PROTOCOL
            && (1..=MAX_SEATS).contains(&brief.seats)
            && (1..=MOST).contains(&brief.agents.len())
            && (1..=MOST).contains(&brief.terms.len());
        if !fits {
            return Err("it is of another version, or has numbers that cannot be".into());
        }
        for luggage in brief.agents.iter().filter_map(|agent| agent.luggage.as_ref()) {
            luggage.check()?;
        }
        let files = brief.terms.iter().filter_map(|terms| terms.file.as_ref());
        match files.into_iter().all(|file| is_checksum(file)) {
            true => Ok(brief),
            false => Err("it names openings by something that is no checksum".into()),
        }
    }

    /// The tournament, for those who play its games. `folder` has the files of openings.
    pub fn tournament(
        &self,
        catalog: &Catalog,
        agents: Vec<Agent>,
        folder: &Path,
    ) -> Result<Tournament, String> {
        let terms = |it: &BriefTerms| -> Result<Terms, String> {
            let openings = match &it.file {
                Some(file) => Openings::File(folder.join(file)),
                None => it.openings.parse().map_err(|problem| format!("{problem}"))?,
            };
            if it.file.is_none() && matches!(openings, Openings::File(_)) {
                return Err(format!("{:?} are no openings", it.openings));
            }
            Ok(Terms {
                catalog: catalog.clone(),
                variant: it.variant.parse().map_err(|problem| format!("{problem}"))?,
                pace: it.pace.parse()?,
                openings,
            })
        };
        let entrants = agents.into_iter().map(|agent| {
            let name = agent.text().to_string();
            Entrant { name, agent, options: Vec::new() }
        });
        Ok(Tournament {
            name: self.name.clone(),
            format: Format::RoundRobin,
            entrants: entrants.collect(),
            terms: self.terms.iter().map(terms).collect::<Result<_, _>>()?,
            seats: self.seats,
            games: 1,
            seed: self.seed,
            concurrency: None,
            oversubscribe: false,
            sprt: None,
            replay_disturbed: self.replay_disturbed,
            reference_speed: self.reference_speed,
            source: None,
            changed: Changed::default(),
        })
    }
}

fn brief_terms(terms: &Terms) -> Result<(BriefTerms, Option<Parcel>), NatsError> {
    let (variant, pace) = (terms.variant.to_string(), terms.pace.to_string());
    let Openings::File(path) = &terms.openings else {
        let openings = terms.openings.to_string();
        return Ok((BriefTerms { variant, pace, openings, file: None }, None));
    };
    let lost = |problem| NatsError::File { what: path.display().to_string(), problem };
    let contents = read_whole(path, LARGEST_FILE).map_err(|error| lost(error.to_string()))?;
    let checksum = agon_arena::fingerprint::checksum(&contents);
    let parcel = Parcel { file: path.clone(), checksum: checksum.clone() };
    let openings = "file".to_string();
    Ok((BriefTerms { variant, pace, openings, file: Some(checksum) }, Some(parcel)))
}
