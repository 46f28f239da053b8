//! The queue of searches: clients take turns, whatever the number of their jobs.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use agon_search::StopFlag;

use crate::clients::Client;
use crate::limits;
use crate::shares::is_fair;

/// What a thread does while it has a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Work {
    /// It searches. A search that has had its share of the time is ended when others wait.
    Searching,
    /// It waits for a program, which decides itself when it answers. So no client gets more threads
    /// than it leaves to the others.
    Waiting,
}

/// A job in the queue.
pub(super) trait Job {
    /// For whom it is.
    fn client(&self) -> Client;
    /// Set when nobody wants it any more.
    fn stop(&self) -> &StopFlag;
    /// Whether a clock gives it its time.
    fn has_clock(&self) -> bool;
    /// Whether it is a part of something longer, which begins anew after each interruption.
    fn is_part(&self) -> bool;
}

/// The jobs of one client.
struct Line<J> {
    /// Since when each of them waits.
    waiting: VecDeque<(J, Instant)>,
    running: usize,
}

impl<J> Line<J> {
    fn jobs(&self) -> usize {
        self.waiting.len() + self.running
    }
}

/// A job that runs.
struct Running {
    number: u64,
    client: Client,
    has_clock: bool,
    is_part: bool,
    /// How long it had waited when it began.
    waited: Duration,
    began: Instant,
    hurry: StopFlag,
}

/// A job that begins to run.
pub(super) struct Started<J> {
    pub job: J,
    /// Its number, for [`Queue::end`].
    pub number: u64,
    /// How long it may search.
    pub time: Duration,
    /// Set when it should come to an end, because others wait or because nobody wants it any more.
    pub hurry: StopFlag,
}

/// Jobs that wait, and jobs that run.
pub(super) struct Queue<J> {
    work: Work,
    threads: usize,
    lines: HashMap<Client, Line<J>>,
    /// The clients with waiting jobs, the next one first.
    turns: VecDeque<Client>,
    waiting: usize,
    running: Vec<Running>,
    next_number: u64,
}

impl<J: Job> Queue<J> {
    pub fn new(work: Work, threads: usize) -> Queue<J> {
        let (lines, turns, running) = (HashMap::new(), VecDeque::new(), Vec::new());
        Queue { work, threads, lines, turns, waiting: 0, running, next_number: 0 }
    }

    /// How many jobs wait or run.
    pub fn len(&self) -> usize {
        self.waiting + self.running.len()
    }

    /// Puts a job at the end of its client's line, but a whole one before the parts of longer
    /// computations; `false` if that client has too many there.
    pub fn push(&mut self, job: J, now: Instant) -> bool {
        let client = job.client();
        let mine = self.lines.get(&client).map_or(0, |line| line.waiting.len());
        if !is_fair(mine, self.waiting, limits::WAITING) {
            return false;
        }
        let new = || Line { waiting: VecDeque::new(), running: 0 };
        let waiting = &mut self.lines.entry(client).or_insert_with(new).waiting;
        let parts = || waiting.iter().position(|(other, _)| other.is_part());
        let at = if job.is_part() { None } else { parts() };
        waiting.insert(at.unwrap_or(waiting.len()), (job, now));
        if mine == 0 {
            self.turns.push_back(client);
        }
        self.waiting += 1;
        true
    }

    /// The next job of the client whose turn it is. Jobs that nobody wants any more are dropped.
    pub fn start(&mut self, now: Instant) -> Option<Started<J>> {
        loop {
            let at = self.turns.iter().position(|client| self.may_start(*client))?;
            let client = self.turns.remove(at)?;
            let line = self.lines.get_mut(&client)?;
            let (job, since) = line.waiting.pop_front()?;
            self.waiting -= 1;
            if !line.waiting.is_empty() {
                self.turns.push_back(client);
            }
            if job.stop().is_set() {
                self.leave(client);
                continue;
            }
            line.running += 1;
            let (number, hurry) = (self.next_number, job.stop().child());
            self.next_number += 1;
            let running = Running {
                number,
                client,
                has_clock: job.has_clock(),
                is_part: job.is_part(),
                waited: now.duration_since(since),
                began: now,
                hurry: hurry.clone(),
            };
            let time = self.time_for(&running);
            self.running.push(running);
            return Some(Started { job, number, time, hurry });
        }
    }

    fn may_start(&self, client: Client) -> bool {
        let mine = self.lines.get(&client).map_or(0, |line| line.running);
        self.work == Work::Searching || is_fair(mine, self.running.len(), self.threads)
    }

    /// A job has ended.
    pub fn end(&mut self, number: u64) {
        let Some(at) = self.running.iter().position(|job| job.number == number) else { return };
        let client = self.running.swap_remove(at).client;
        if let Some(line) = self.lines.get_mut(&client) {
            line.running -= 1;
        }
        self.leave(client);
    }

    /// Forgets a client without jobs.
    fn leave(&mut self, client: Client) {
        if self.lines.get(&client).is_some_and(|line| line.jobs() == 0) {
            self.lines.remove(&client);
        }
    }

    /// How long a job may search in all. It shares the time of a round with the other clients, however
    /// many jobs they have, and with the other jobs of its own client. If it has waited for others who
    /// are gone now, it still answers in time.
    fn time_for(&self, job: &Running) -> Duration {
        let own = self.lines.get(&job.client).map_or(1, Line::jobs);
        let others = self.lines.len().saturating_sub(1);
        let load = (others + own) as f64 / self.threads as f64;
        let shared = limits::ROUND.div_f64(load.max(2.0));
        let time = match others {
            0 => limits::THINKING.saturating_sub(job.waited).div_f64(load.max(1.0)).max(shared),
            _ => shared,
        };
        let patience = if job.has_clock && others == 0 { limits::PATIENT } else { 1 };
        let least = match job.is_part && others == 0 {
            true => limits::SHORTEST_PART,
            false => limits::SHORTEST_THINKING,
        };
        time.max(least) * patience
    }

    /// If jobs are waiting, ends the searches that have had their share.
    pub fn hurry(&self, now: Instant) {
        if self.waiting == 0 || self.work == Work::Waiting {
            return;
        }
        for job in &self.running {
            if now.duration_since(job.began) >= self.time_for(job) {
                job.hurry.stop();
            }
        }
    }

    /// Drops all that wait.
    pub fn clear(&mut self) {
        self.lines.retain(|_, line| {
            line.waiting.clear();
            line.running > 0
        });
        self.turns.clear();
        self.waiting = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clients::Clients;

    struct Asked(Client, StopFlag, bool, bool);

    impl Job for Asked {
        fn client(&self) -> Client {
            self.0
        }

        fn stop(&self) -> &StopFlag {
            &self.1
        }

        fn has_clock(&self) -> bool {
            self.2
        }

        fn is_part(&self) -> bool {
            self.3
        }
    }

    fn asked(client: Client) -> Asked {
        Asked(client, StopFlag::default(), false, false)
    }

    fn people() -> [Client; 3] {
        let clients = Clients::new(false);
        [1, 2, 3].map(|number| clients.at([192, 0, 2, number].into()))
    }

    /// The clients in the order in which they are served, one at a time.
    fn served(queue: &mut Queue<Asked>) -> Vec<Client> {
        let serve = || {
            let started = queue.start(Instant::now())?;
            queue.end(started.number);
            Some(started.job.0)
        };
        std::iter::from_fn(serve).collect()
    }

    #[test]
    fn clients_take_turns() {
        let ([a, b, c], mut queue) = (people(), Queue::new(Work::Searching, 1));
        for client in [a, a, a, a, b, c, c] {
            assert!(queue.push(asked(client), Instant::now()));
        }
        assert_eq!(served(&mut queue), [a, b, c, a, c, a, a]);
        assert!(queue.lines.is_empty() && queue.turns.is_empty() && queue.len() == 0);
    }

    #[test]
    fn a_client_that_waits_in_vain_does_not_keep_others_waiting() {
        let ([a, b, _], mut queue) = (people(), Queue::new(Work::Searching, 1));
        let gone = asked(a);
        gone.1.stop();
        assert!(queue.push(gone, Instant::now()) && queue.push(asked(b), Instant::now()));
        assert_eq!(served(&mut queue), [b]);
        assert!(queue.lines.is_empty());
        for _ in 0..limits::WAITING / 2 {
            assert!(queue.push(asked(a), Instant::now()));
        }
        assert!(!queue.push(asked(a), Instant::now()), "one client does not fill the queue");
        assert!(queue.push(asked(b), Instant::now()));
        queue.clear();
        assert_eq!(queue.len(), 0);
        assert!(queue.push(asked(a), Instant::now()) && queue.push(asked(b), Instant::now()));
        assert_eq!(served(&mut queue), [a, b]);
    }

    #[test]
    fn time_shrinks_with_the_clients_and_with_ones_own_jobs() {
        let [a, b, _] = people();
        let time = |jobs: &[Client], has_clock| {
            let (mut queue, now) = (Queue::new(Work::Searching, 1), Instant::now());
            for &client in jobs {
                queue.push(Asked(client, StopFlag::default(), has_clock, false), now);
            }
            queue.start(now).unwrap().time
        };
        assert_eq!(time(&[a], false), limits::THINKING);
        assert_eq!(time(&[a], true), limits::THINKING * limits::PATIENT);
        assert_eq!(time(&[a, a], false), limits::THINKING / 2);
        let hundred = [b; 100];
        assert_eq!(time(&[&[a][..], &hundred].concat(), true), limits::ROUND / 2);
        assert_eq!(time(&[&[b][..], &hundred, &[a]].concat(), true), limits::SHORTEST_THINKING);
    }

    #[test]
    fn a_long_search_ends_when_somebody_else_comes() {
        let ([a, b, _], mut queue) = (people(), Queue::new(Work::Searching, 1));
        let began = Instant::now();
        queue.push(Asked(a, StopFlag::default(), true, false), began);
        let long = queue.start(began).unwrap();
        queue.hurry(began + limits::THINKING * 4);
        assert!(!long.hurry.is_set(), "nobody waits");
        queue.push(asked(b), began);
        queue.hurry(began + limits::ROUND / 4);
        assert!(!long.hurry.is_set(), "it has not had its share");
        queue.hurry(began + limits::ROUND / 2);
        assert!(long.hurry.is_set() && !long.job.1.is_set());
        queue.end(long.number);
        let waited = limits::ROUND / 2;
        let next = queue.start(began + waited).unwrap();
        assert_eq!(next.time, limits::THINKING - waited, "it is answered in time nevertheless");
    }

    #[test]
    fn moves_come_before_parts_which_last_longer() {
        let ([a, b, _], mut queue) = (people(), Queue::new(Work::Searching, 1));
        let part = |client| Asked(client, StopFlag::default(), false, true);
        let began = Instant::now();
        for job in [part(a), part(a), asked(a), part(a), asked(a)] {
            assert!(queue.push(job, began));
        }
        let mut kinds = Vec::new();
        while let Some(started) = queue.start(began) {
            kinds.push(started.job.3);
            queue.end(started.number);
        }
        assert_eq!(kinds, [false, false, true, true, true]);
        for _ in 0..10 {
            queue.push(part(a), began);
        }
        let running = queue.start(began).unwrap();
        queue.hurry(began + limits::SHORTEST_PART / 2);
        assert!(!running.hurry.is_set(), "a part is worth starting");
        queue.push(asked(b), began);
        queue.hurry(began + limits::SHORTEST_PART / 2);
        assert!(running.hurry.is_set(), "but others do not wait for it");
    }

    #[test]
    fn nobody_gets_all_programs() {
        let ([a, b, c], mut queue) = (people(), Queue::new(Work::Waiting, 8));
        for client in [[a; 8], [b; 8], [c; 8]].concat() {
            queue.push(asked(client), Instant::now());
        }
        let begun: Vec<Client> =
            std::iter::from_fn(|| queue.start(Instant::now())).map(|begun| begun.job.0).collect();
        assert_eq!(begun.len(), 6, "two are kept for others");
        let mut queue = Queue::new(Work::Waiting, 8);
        for client in [[a; 8].as_slice(), &[b]].concat() {
            queue.push(asked(client), Instant::now());
        }
        let begun: Vec<Client> =
            std::iter::from_fn(|| queue.start(Instant::now())).map(|begun| begun.job.0).collect();
        assert_eq!(begun.iter().filter(|client| **client == a).count(), 4);
        assert!(begun.contains(&b));
    }
}
