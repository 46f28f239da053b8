//! Who may play the seats of people: whoever has a seat's token.

use std::fmt;

use axum::http::HeaderMap;
use axum::http::header::SEC_WEBSOCKET_PROTOCOL;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::hub::new_id;
use crate::aisysproj::is_same;
use crate::error::ApiError;

/// The header with the tokens of a client's seats, separated by commas.
const SEAT: &str = "x-agon-seat";
/// Browsers cannot add a header to a WebSocket, so tokens are offered there as protocols, after this.
const PROTOCOL: &str = "seat.";
/// How many tokens of one request are looked at: more than a game has seats.
const MOST: usize = 8;

/// The owners of the seats, by seat; empty in a game that everybody may play who knows its address.
/// Agents have no owners.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Default, Debug)]
#[serde(transparent)]
pub struct Owners(Vec<Option<Owner>>);

/// The owner of a seat: whoever has the token with this hash.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
struct Owner {
    hash: Hash,
    /// Whether the seat is a guest's, and not that of whoever started the game.
    guest: bool,
}

/// A seat that is to be owned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Claim {
    /// By whoever starts the game.
    Host,
    /// By somebody who is sent its link.
    Guest,
}

/// The token of a seat, for whoever started the game. It is shown once and stored nowhere.
#[derive(Serialize, ToSchema, Clone, Debug)]
pub struct SeatToken {
    /// The seat.
    pub seat: usize,
    /// Whoever has this plays the seat.
    pub token: String,
    /// Whether it is meant for somebody else.
    pub guest: bool,
}

impl Owners {
    /// A new token for every claimed seat.
    pub(crate) fn new(claims: &[Option<Claim>]) -> Result<(Owners, Vec<SeatToken>), ApiError> {
        let (mut owners, mut tokens) = (Vec::new(), Vec::new());
        for (seat, claim) in claims.iter().enumerate() {
            let Some(claim) = claim else {
                owners.push(None);
                continue;
            };
            let (token, guest) = (new_id()?, *claim == Claim::Guest);
            owners.push(Some(Owner { hash: Hash::of(&token), guest }));
            tokens.push(SeatToken { seat, token, guest });
        }
        Ok((Owners(owners), tokens))
    }

    /// Whether everybody may play who knows the game's address.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this seat has an owner.
    pub(crate) fn has(&self, seat: usize) -> bool {
        self.0.get(seat).is_some_and(Option::is_some)
    }

    /// The seats that these tokens play.
    pub(crate) fn seats<'a>(&'a self, tokens: &'a Tokens) -> impl Iterator<Item = usize> + 'a {
        let owned = |owner: &Option<Owner>| owner.as_ref().is_some_and(|it| tokens.fit(&it.hash));
        self.0.iter().enumerate().filter(move |(_, owner)| owned(owner)).map(|(seat, _)| seat)
    }

    /// Whether these tokens may delete the game: one of whoever started it, or all of them.
    pub(crate) fn may_delete(&self, tokens: &Tokens) -> bool {
        let mut owners = self.0.iter().flatten();
        let host = owners.clone().any(|owner| !owner.guest && tokens.fit(&owner.hash));
        host || owners.all(|owner| tokens.fit(&owner.hash))
    }

    /// The same owners, one seat further.
    pub(super) fn rotated(mut self) -> Owners {
        if !self.0.is_empty() {
            self.0.rotate_right(1);
        }
        self
    }
}

/// What is kept of a token.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Hash([u8; 32]);

impl Hash {
    /// Tokens are random and long: a plain hash cannot be reversed.
    fn of(token: &str) -> Hash {
        Hash(Sha256::digest(token.as_bytes()).into())
    }

    /// Reads what is shown.
    fn read(text: &str) -> Option<Hash> {
        let byte = |at: usize| u8::from_str_radix(text.get(at..at + 2)?, 16).ok();
        let bytes: Option<Vec<u8>> = (0..text.len()).step_by(2).map(byte).collect();
        <[u8; 32]>::try_from(bytes?).ok().map(Hash)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hash")
    }
}

impl Serialize for Hash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// What is kept of a token, as text.
pub(crate) fn token_kept(token: &str) -> String {
    Hash::of(token).to_string()
}

/// Whether this is the token of which that is kept. Takes the same time wherever they differ.
pub(crate) fn token_fits(token: &str, kept: &str) -> bool {
    Hash::read(kept).is_some_and(|kept| is_same(&Hash::of(token).0, &kept.0))
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Hash, D::Error> {
        let text = String::deserialize(deserializer)?;
        Hash::read(&text).ok_or_else(|| serde::de::Error::custom("bad hash of a token"))
    }
}

/// The tokens that came with a request.
#[derive(Clone, Default, Debug)]
pub struct Tokens(Vec<Hash>);

impl Tokens {
    /// Those in the headers of a request.
    pub fn of(headers: &HeaderMap) -> Tokens {
        let texts = |name| {
            let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
            values.flat_map(|list| list.split(',')).map(str::trim)
        };
        let offered =
            texts(SEC_WEBSOCKET_PROTOCOL.as_str()).filter_map(|text| text.strip_prefix(PROTOCOL));
        let tokens = texts(SEAT).chain(offered).filter(|token| !token.is_empty());
        tokens.take(MOST).collect()
    }

    /// Whether one of them has this hash. Takes the same time wherever they differ.
    fn fit(&self, hash: &Hash) -> bool {
        self.0.iter().fold(false, |fits, token| fits | is_same(&token.0, &hash.0))
    }
}

impl<'a> FromIterator<&'a str> for Tokens {
    fn from_iter<I: IntoIterator<Item = &'a str>>(tokens: I) -> Tokens {
        Tokens(tokens.into_iter().map(Hash::of).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(name: &'static str, value: &str) -> Tokens {
        let mut headers = HeaderMap::new();
        headers.insert(name, value.parse().unwrap());
        Tokens::of(&headers)
    }

    #[test]
    fn a_token_plays_its_own_seat_wherever_that_moves() {
        let claims = [Some(Claim::Host), None, Some(Claim::Guest)];
        let (owners, tokens) = Owners::new(&claims).unwrap();
        let [host, guest] = &tokens[..] else { panic!("{tokens:?}") };
        let seats = |owners: &Owners, tokens: &Tokens| owners.seats(tokens).collect::<Vec<_>>();
        assert_eq!(seats(&owners, &with(SEAT, &host.token)), [0]);
        assert_eq!(seats(&owners, &with("sec-websocket-protocol", "agon")), [0; 0]);
        let offered = format!("agon, seat.{}", guest.token);
        assert_eq!(seats(&owners, &with("sec-websocket-protocol", &offered)), [2]);
        let both = format!("{},{}", guest.token, host.token);
        assert_eq!(seats(&owners, &with(SEAT, &both)), [0, 2]);
        assert_eq!(seats(&owners, &with(SEAT, &guest.token[1..])), [0; 0]);
        assert!(owners.has(0) && !owners.has(1) && !owners.has(9));
        assert_eq!(seats(&owners.clone().rotated(), &with(SEAT, &guest.token)), [0]);
        // What is stored gives no token away, and is read back as it was.
        let stored = serde_json::to_string(&owners).unwrap();
        assert!(!stored.contains(&host.token) && !stored.contains(&guest.token));
        assert_eq!(serde_json::from_str::<Owners>(&stored).unwrap(), owners);
        for bad in ["[{\"hash\":\"12\",\"guest\":false}]", "[{\"hash\":\"ä\",\"guest\":false}]"] {
            assert!(serde_json::from_str::<Owners>(bad).is_err());
        }
    }

    #[test]
    fn a_guest_does_not_delete_the_game() {
        let (owners, tokens) = Owners::new(&[Some(Claim::Guest), Some(Claim::Host)]).unwrap();
        assert!(owners.may_delete(&with(SEAT, &tokens[1].token)));
        assert!(!owners.may_delete(&with(SEAT, &tokens[0].token)));
        assert!(!owners.may_delete(&Tokens::default()));
        // Whoever started a game of guests has all their tokens.
        let (owners, tokens) = Owners::new(&[Some(Claim::Guest), Some(Claim::Guest)]).unwrap();
        assert!(!owners.may_delete(&with(SEAT, &tokens[0].token)));
        let all = format!("{},{}", tokens[0].token, tokens[1].token);
        assert!(owners.may_delete(&with(SEAT, &all)));
        assert!(Owners::default().may_delete(&Tokens::default()), "no owners, no restriction");
    }
}
