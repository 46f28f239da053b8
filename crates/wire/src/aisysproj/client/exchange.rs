//! A request that is sent until it is answered.

use std::time::Instant;

use agon_search::StopFlag;

use super::Client;
use super::event::{Event, Listener};
use super::link::{Failure, Trouble};
use super::news::News;
use super::play::Answer;
use super::waiting::rest;
use crate::aisysproj::protocol::{Request, v0, v1};

/// How the program is called in the statistics of servers.
const PROGRAM: &str = "agon";
/// How often a server may fail over the same answers before they are suspected.
const CRASHES: u32 = 3;
/// How often a single answer may be suspected before it counts as refused.
const SUSPICIONS: u32 = 2;

/// A response, and how it came about.
pub(super) struct Heard {
    pub(super) news: News,
    /// Whether the same was sent before, so that answers may have arrived twice.
    pub(super) retried: bool,
}

impl Client {
    /// Sends what there is to say, again and again if it has to be. `None` if it was stopped before
    /// there was an answer.
    pub(super) fn exchange(
        &mut self,
        stop: &StopFlag,
        tell: Listener<'_>,
    ) -> Result<Option<Heard>, Failure> {
        let (mut retries, mut crashes) = (0, 0);
        self.keep_a_distance(stop);
        loop {
            let last = stop.is_set();
            let request = self.request();
            let (why, crashed) = match self.ask(&request, retries, tell) {
                Ok(news) => {
                    self.note_success();
                    return Ok(Some(Heard { news, retried: retries > 0 }));
                }
                Err(Trouble::Lasting(failure)) => return Err(failure),
                Err(Trouble::BadRequest(failure)) => {
                    if !abandons(&request) {
                        return Err(failure);
                    }
                    self.never_abandon_again(&failure, tell);
                    continue;
                }
                Err(Trouble::Passing { why, crashed }) => (why, crashed),
            };
            self.tally.totals.errors += 1;
            crashes = if crashed { crashes + 1 } else { 0 };
            if crashes == CRASHES && self.suspects.is_empty() {
                self.suspects = std::mem::take(&mut self.answers);
            }
            if last {
                return Ok(self.leave(&why, tell));
            }
            let pause = self.backoff.next(&mut self.rng);
            tell(&Event::Waiting { why: &why, pause, trouble: true });
            rest(pause, stop);
            if stop.is_set() && self.answers.is_empty() {
                return Ok(None);
            }
            retries += 1;
        }
    }

    /// Nobody is asked for news all the time.
    fn keep_a_distance(&self, stop: &StopFlag) {
        let since = self.last_request.map(|last| last.elapsed());
        let between = self.options.patience.between;
        if let Some(left) = since.and_then(|since| between.checked_sub(since))
            && self.answers.is_empty()
        {
            rest(left, stop);
        }
    }

    /// The request that says everything there is to say.
    fn request(&self) -> Request {
        let (agent, pwd) = (self.config.agent.clone(), self.config.pwd.clone());
        let single = self.options.parallel <= 1;
        if self.version == 0 {
            let actions = self.answers.iter().map(Answer::in_version_0).collect();
            return Request::V0(v0::Request { agent, pwd, actions, single_request: single });
        }
        let actions = self.answers.iter().map(Answer::in_version_1).collect();
        let to_abandon = match self.can_abandon {
            true => self.book.leaving(),
            false => Vec::new(),
        };
        Request::V1(v1::Request {
            actions,
            to_abandon,
            parallel_runs: !single,
            client: PROGRAM.into(),
            ..v1::Request::new(agent, pwd)
        })
    }

    /// One request and what came of it.
    fn ask(
        &mut self,
        request: &Request,
        retries: u32,
        tell: Listener<'_>,
    ) -> Result<News, Trouble> {
        self.tally.totals.requests += 1;
        self.last_request = Some(Instant::now());
        tell(&Event::Sent { body: &request.shown(), answers: self.answers.len(), retries });
        let reply = self.link.put(&request.body())?;
        let body = self.link.told(&reply);
        tell(&Event::Answered { status: reply.status, body: &body, took: reply.took });
        let news = self.link.judge(&reply)?;
        if news.version != self.version || !self.connected {
            let unread = news.version != self.version && !self.answers.is_empty();
            self.version = news.version;
            self.connected = true;
            tell(&Event::Connected { version: news.version });
            if unread {
                // The answers were in words that the server does not know, so it has ignored them.
                let why = "the server speaks another version than before".to_string();
                return Err(Trouble::Passing { why, crashed: false });
            }
        }
        Ok(news)
    }

    /// The server has all answers.
    fn note_success(&mut self) {
        self.backoff.reset();
        self.careful &= self.answers.is_empty();
        for answer in std::mem::take(&mut self.answers) {
            self.book.mark_sent(&answer.run, answer.number, &answer.mv);
            self.tally.totals.moves += 1;
        }
        // It works without these answers and did not with them.
        let suspects = std::mem::take(&mut self.suspects);
        self.careful |= suspects.len() > 1;
        if let [only] = suspects.as_slice()
            && let Some(run) = self.book.get_mut(&only.run)
            && run.number == only.number
        {
            run.crashes += 1;
            if run.crashes >= SUSPICIONS {
                self.book.mark_sent(&only.run, only.number, &only.mv);
                self.tally.totals.moves += 1;
            }
        }
    }

    fn never_abandon_again(&mut self, failure: &Failure, tell: Listener<'_>) {
        self.can_abandon = false;
        self.book.stay();
        let text = format!("runs cannot be given up here: {failure}");
        tell(&Event::Note { text: &text });
    }

    /// It was stopped and there is no answer.
    fn leave(&mut self, why: &str, tell: Listener<'_>) -> Option<Heard> {
        let lost = self.answers.len();
        if lost > 0 {
            let moves = if lost == 1 { "a move" } else { "some moves" };
            let text = format!("{moves} could not be sent any more ({why}); nothing is lost by it");
            tell(&Event::Note { text: &text });
        }
        None
    }
}

fn abandons(request: &Request) -> bool {
    matches!(request, Request::V1(request) if !request.to_abandon.is_empty())
}
