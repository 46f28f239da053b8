//! A request that is retried until it is answered.

use std::time::Instant;

use agon_search::StopFlag;

use super::Client;
use super::event::{Event, Listener};
use super::link::{Failure, Trouble};
use super::news::News;
use super::play::Answer;
use super::waiting::rest;
use crate::aisysproj::protocol::{Request, v0, v1};

/// The name of the program in the servers' statistics.
const PROGRAM: &str = "agon";
/// How often a server may fail over the same answers before they are suspected.
const CRASHES: u32 = 3;

/// A response, and whether the request was retried.
pub(super) struct Received {
    pub(super) news: News,
    /// Whether the same request was sent before, so that answers may have arrived twice.
    pub(super) retried: bool,
}

impl Client {
    /// Sends the pending answers, with retries if necessary. `None` if it was stopped before there
    /// was a response.
    pub(super) fn exchange(
        &mut self,
        stop: &StopFlag,
        tell: Listener<'_>,
    ) -> Result<Option<Received>, Failure> {
        let (mut retries, mut crashes) = (0, 0);
        self.throttle(stop);
        loop {
            let last = stop.is_set();
            let request = self.request();
            let (why, crashed) = match self.ask(&request, retries, tell) {
                Ok(news) => {
                    self.note_success();
                    return Ok(Some(Received { news, retried: retries > 0 }));
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

    /// Limits the rate of requests that answer nothing.
    fn throttle(&self, stop: &StopFlag) {
        let since = self.last_request.map(|last| last.elapsed());
        let between = self.options.patience.between;
        if let Some(left) = since.and_then(|since| between.checked_sub(since))
            && self.answers.is_empty()
        {
            rest(left, stop);
        }
    }

    /// The request with everything that is pending.
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

    /// One request and its result.
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
        let body = self.link.full_body(&reply);
        tell(&Event::Answered { status: reply.status, body: &body, took: reply.took });
        let news = self.link.judge(&reply)?;
        if news.version != self.version || !self.connected {
            let unread = news.version != self.version && !self.answers.is_empty();
            self.version = news.version;
            self.connected = true;
            tell(&Event::Connected { version: news.version });
            if unread {
                // The server does not know the version of the answers, so it has ignored them.
                let why = "the server has changed to another version of the protocol".to_string();
                return Err(Trouble::Passing { why, crashed: false });
            }
        }
        Ok(news)
    }

    /// The server has all answers.
    fn note_success(&mut self) {
        // It works without these answers and failed with them. A server that temporarily cannot
        // write looks just the same, so nothing is refused or abandoned because of it.
        let suspects = std::mem::take(&mut self.suspects);
        if suspects.is_empty() {
            self.backoff.reset();
            self.careful = self.careful.saturating_sub(self.answers.len());
        } else {
            self.suspect(&suspects);
        }
        for answer in std::mem::take(&mut self.answers) {
            self.book.mark_sent(&answer.run, answer.number, &answer.mv);
            self.tally.totals.moves += 1;
        }
    }

    /// One of these answers, or all, made the server fail: the next ones are sent one by one.
    fn suspect(&mut self, suspects: &[Answer]) {
        let [only] = suspects else {
            self.careful = suspects.len();
            return;
        };
        self.careful = 0;
        let run = self.book.get_mut(&only.run).filter(|run| run.number == only.number);
        if let Some(run) = run {
            run.crashes += 1;
            run.suspect = Some(only.mv.clone());
        }
    }

    fn never_abandon_again(&mut self, failure: &Failure, tell: Listener<'_>) {
        self.can_abandon = false;
        self.book.stay();
        let text = format!("runs cannot be abandoned here: {failure}");
        tell(&Event::Note { text: &text });
    }

    /// It was stopped without a response.
    fn leave(&mut self, why: &str, tell: Listener<'_>) -> Option<Received> {
        let lost = self.answers.len();
        if lost > 0 {
            let moves = if lost == 1 { "a move" } else { "some moves" };
            let text = format!("{moves} could not be sent ({why}); nothing is lost");
            tell(&Event::Note { text: &text });
        }
        None
    }
}

fn abandons(request: &Request) -> bool {
    matches!(request, Request::V1(request) if !request.to_abandon.is_empty())
}
