//! One thread's work: descend the tree, expand a node, and back up its value.

use agon_core::outcome::WIN;
use agon_core::playout::play_out;
use agon_core::{
    Evaluator, Foreseen, Hints, History, MoveList, Outcome, PerSeat, Rng, Seat, Status, Which,
};

use super::arena::{Arena, ROOT};
use super::gaps::Plot;
use super::history::MoveHistory;
use super::node::{Bounds, Guess, Index, Node};
use super::options::Options;
use super::quiet::Quiet;
use super::selection::Crossroads;
use crate::expected::{Shares, chance, expected, shares_of};
use crate::report::Statistics;
use crate::strategy::Root;

/// A node is expanded once it has more visits than this.
const VISITS_BEFORE_EXPANSION: u32 = 0;
/// The same where play-outs and not evaluations estimate the value of a node.
const PLAYOUTS_BEFORE_EXPANSION: u32 = 1;
/// A play-out picks the best of this many random moves by the hints.
const TOURNAMENT: usize = 3;
/// The inverse temperature of the priors by value: a move that is better by a whole point gets a
/// prior larger by *e* to this power.
const PRIOR_BY_VALUE: f32 = 8.0;
/// The same for a move that is better by the scale of the game according to the hints.
const PRIOR_BY_HINT: f32 = 0.5;
/// Hints are clamped to this.
const MOST_HINT: f32 = 2.0;

/// What all threads of a search share.
pub(super) struct Shared<'a, G: Hints> {
    pub(super) root: Root<'a, G>,
    pub(super) options: &'a Options,
    pub(super) evaluation: Evaluator<G>,
    pub(super) scale: i32,
    pub(super) seats: usize,
    pub(super) history: &'a MoveHistory,
}

impl<'a, G: Hints> Shared<'a, G> {
    pub(super) fn new(
        root: Root<'a, G>,
        options: &'a Options,
        evaluation: Evaluator<G>,
        history: &'a MoveHistory,
    ) -> Shared<'a, G> {
        let (scale, seats) = (G::scale(evaluation.name()), root.position.seats());
        Shared { root, options, evaluation, scale, seats, history }
    }
}

/// One thread's work.
pub(super) struct Worker<'a, G: Hints> {
    shared: &'a Shared<'a, G>,
    rng: Rng,
    /// The positions down to the current one.
    line: History,
    moves: MoveList<G::Move>,
    exchanges: MoveList<G::Move>,
    path: Vec<Step>,
    /// Where its new nodes go.
    plot: Plot,
    /// Moves played.
    pub(super) nodes: u64,
    /// Positions whose moves were generated for the tree.
    pub(super) expanded: u64,
    /// Positions evaluated.
    evaluations: u64,
    /// The greatest depth reached.
    deepest: u32,
}

/// A node on the way down, who moved there, and how.
struct Step {
    index: Index,
    mover: Seat,
    way: usize,
}

/// The result of expanding a node.
enum Growth {
    Grown,
    /// No legal move: the game is over.
    Stuck(Outcome),
    /// Not now: another thread is expanding it, or there is no room left.
    Postponed,
}

impl<'a, G: Hints> Worker<'a, G> {
    pub(super) fn new(shared: &'a Shared<'a, G>, seed: u64) -> Worker<'a, G> {
        Worker {
            shared,
            rng: Rng::new(seed),
            line: shared.root.history.clone(),
            moves: MoveList::new(),
            exchanges: MoveList::new(),
            path: Vec::new(),
            plot: Plot::default(),
            nodes: 0,
            expanded: 0,
            evaluations: 0,
            deepest: 0,
        }
    }

    /// Runs one iteration.
    pub(super) fn iterate(&mut self, tree: &Arena<G::Move>) {
        let mut position = self.shared.root.position.clone();
        let mut node = tree.node(ROOT);
        let mut seen_before = node.visit();
        self.path.clear();
        self.path.push(Step { index: ROOT, mover: Seat::FIRST, way: 0 });
        let shares = loop {
            if let Some(shares) = self.known(node, &position) {
                break shares;
            }
            if node.block().is_none() {
                if !self.is_due(seen_before) {
                    break self.estimate(node, &position);
                }
                match self.expand(tree, node, &position) {
                    Growth::Grown if self.estimates_by_children() => break self.worth(node),
                    Growth::Grown => {}
                    Growth::Stuck(outcome) => break self.settle(node, &outcome),
                    Growth::Postponed => break self.estimate(node, &position),
                }
            }
            (node, seen_before) = self.descend(tree, node, &mut position);
        };
        self.back_up(tree, shares);
    }

    /// Ends the work: leaves its free places to others.
    pub(super) fn retire(self, tree: &Arena<G::Move>) -> Statistics {
        tree.give_back(self.plot);
        Statistics {
            nodes: self.nodes,
            expanded: self.expanded,
            evaluations: self.evaluations,
            depth: self.deepest,
            ..Statistics::default()
        }
    }

    /// The value of a node where the game is over or a position is repeated.
    fn known(&mut self, node: &Node<G::Move>, position: &G) -> Option<Shares> {
        let is_root = self.path.len() == 1;
        let bounds = node.bounds();
        if bounds.settle_all(self.shared.seats) && !is_root {
            return Some(bounds.shares(self.shared.seats));
        }
        if is_root {
            return None;
        }
        if let Status::Over(outcome) = self.line.status(position) {
            return Some(self.settle(node, &outcome));
        }
        // Not over yet, but a player who can repeat once can do so again.
        let repeats = self.line.recurs(self.path.len() - 1);
        repeats.then(|| shares_of(&Outcome::draw(self.shared.seats, "repetition")))
    }

    /// Records a result at a node.
    fn settle(&self, node: &Node<G::Move>, outcome: &Outcome) -> Shares {
        let shares = shares_of(outcome);
        if self.shared.options.switches.solver {
            node.set_bounds(Bounds::exact(&outcome.points()), 0);
        }
        node.set_guess(Guess::new(&shares));
        shares
    }

    fn is_due(&self, visits: u32) -> bool {
        let wait = match self.estimates_by_children() {
            true => VISITS_BEFORE_EXPANSION,
            false => PLAYOUTS_BEFORE_EXPANSION,
        };
        visits >= wait || self.path.len() == 1
    }

    /// Whether the value of a node comes from the evaluations of its children, without a play-out.
    fn estimates_by_children(&self) -> bool {
        let Options { switches, plies, .. } = self.shared.options;
        switches.minimax && switches.cutoff && *plies == 0
    }

    /// The value of a node from its children.
    fn worth(&self, node: &Node<G::Move>) -> Shares {
        let (seats, bounds) = (self.shared.seats, node.bounds());
        if bounds.settle_all(seats) { bounds.shares(seats) } else { node.guess().shares(seats) }
    }

    /// The value of a node by a play-out or an evaluation.
    fn estimate(&mut self, node: &Node<G::Move>, position: &G) -> Shares {
        if self.estimates_by_children() && self.path.len() > 1 {
            return node.guess().shares(self.shared.seats);
        }
        self.simulate(position)
    }

    /// Plays to the end, or for a few plies and evaluates.
    fn simulate(&mut self, position: &G) -> Shares {
        let Options { switches, plies, .. } = self.shared.options;
        if !switches.cutoff && !switches.priors {
            let playout = play_out(position.clone(), &mut self.rng, &mut self.moves);
            self.nodes += u64::from(playout.plies);
            return shares_of(&playout.outcome);
        }
        let plies = if switches.cutoff { *plies } else { u32::MAX };
        self.simulate_with_hints(position.clone(), plies)
    }

    /// Plays moves favoured by the hints for `plies` plies, then evaluates.
    fn simulate_with_hints(&mut self, mut position: G, plies: u32) -> Shares {
        const LONGEST: u32 = 2000;
        for _ in 0..plies.min(LONGEST) {
            if let Status::Over(outcome) = position.status() {
                return shares_of(&outcome);
            }
            let Some(mv) = self.likely_move(&position) else {
                return shares_of(&position.when_stuck());
            };
            position.play(mv);
            self.nodes += 1;
        }
        match position.status() {
            Status::Over(outcome) => shares_of(&outcome),
            Status::ToMove(_) => self.judge(&position),
        }
    }

    /// The best of a few random moves by the hints.
    fn likely_move(&mut self, position: &G) -> Option<G::Move> {
        let mut best = None;
        for _ in 0..TOURNAMENT {
            let mv = position.sample(&mut self.rng, &mut self.moves)?;
            let liking = liking(position, mv);
            if best.is_none_or(|(most, _)| liking > most) {
                best = Some((liking, mv));
            }
        }
        best.map(|(_, mv)| mv)
    }

    /// The evaluation of a position, with exchanges resolved first if enabled.
    fn judge(&mut self, position: &G) -> Shares {
        let Shared { evaluation, scale, seats, .. } = self.shared;
        let (scale, seats) = (*scale, *seats);
        if let (true, 2, Some(mover)) =
            (self.shared.options.switches.quiet, seats, position.to_move())
        {
            let moves = &mut self.exchanges;
            let mut quiet = Quiet { evaluation, moves, nodes: 0, evaluations: 0 };
            let share = chance(quiet.judge(position, mover) as f32, scale);
            self.nodes += quiet.nodes;
            self.evaluations += quiet.evaluations;
            let mut shares = PerSeat::filled(2, share);
            shares[mover.opponent()] = 1.0 - share;
            return shares;
        }
        self.evaluations += 1;
        expected(position, evaluation, scale)
    }

    /// Adds the children of a node, with their initial estimates.
    fn expand(&mut self, tree: &Arena<G::Move>, node: &Node<G::Move>, position: &G) -> Growth {
        if !node.begin_expansion() {
            return Growth::Postponed;
        }
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        let _ = position.generate(Which::All, &mut moves);
        let growth = if moves.is_empty() {
            node.abandon_expansion();
            Growth::Stuck(position.when_stuck())
        } else if let Some((first, children)) = tree.allocate(&mut self.plot, moves.len()) {
            for (child, &mv) in children.iter().zip(moves.iter()) {
                child.set_move(mv);
                self.look_at(child, position, mv);
            }
            if self.shared.options.switches.priors {
                self.set_priors(children, position);
            }
            self.learn(node, children, position.to_move());
            self.expanded += 1;
            node.publish(first, moves.len() as u16);
            Growth::Grown
        } else {
            node.abandon_expansion();
            Growth::Postponed
        };
        self.moves = moves;
        growth
    }

    /// Gives a child its initial estimate, if enabled.
    fn look_at(&mut self, child: &Node<G::Move>, position: &G, mv: G::Move) {
        let switches = self.shared.options.switches;
        if !switches.minimax && !switches.solver {
            return;
        }
        let mut after = position.clone();
        after.play(mv);
        self.nodes += 1;
        match after.status() {
            Status::Over(outcome) => drop(self.settle(child, &outcome)),
            Status::ToMove(seat) => {
                if switches.solver && self.foresee(child, &after, seat) {
                    return;
                }
                if switches.solver && self.shared.seats > 2 {
                    note_places(child, &after, self.shared.seats);
                }
                if switches.minimax {
                    child.set_guess(Guess::new(&self.judge(&after)));
                }
            }
        }
    }

    /// Records a result that game knowledge proves. Two-player games only.
    fn foresee(&self, child: &Node<G::Move>, after: &G, seat: Seat) -> bool {
        if self.shared.seats != 2 {
            return false;
        }
        let (outcome, plies) = match after.foreseen() {
            None | Some(Foreseen::AtLeastDraw | Foreseen::AtMostDraw) => return false,
            Some(Foreseen::Win(plies)) => (Outcome::win(seat, "foreseen"), plies),
            Some(Foreseen::Loss(plies)) => (Outcome::loss(seat, "foreseen"), plies),
            Some(Foreseen::Draw) => (Outcome::draw(2, "foreseen"), 0),
        };
        self.settle(child, &outcome);
        child.set_bounds(child.bounds(), plies as u16);
        true
    }

    /// Sets the prior of each child, by evaluations and hints.
    fn set_priors(&self, children: &[Node<G::Move>], position: &G) {
        let Some(mover) = position.to_move() else { return };
        let by_value = self.shared.options.switches.minimax;
        let score = |child: &Node<G::Move>| {
            let hint = child.mv().map_or(0.0, |mv| liking(position, mv) as f32 / G::SCALE as f32);
            let value = if by_value { child.guess().of(mover) } else { 0.0 };
            PRIOR_BY_VALUE * value + PRIOR_BY_HINT * hint.clamp(-MOST_HINT, MOST_HINT)
        };
        let most = children.iter().map(score).fold(f32::NEG_INFINITY, f32::max);
        let mut total = 0.0;
        for child in children {
            let weight = (score(child) - most).exp();
            total += weight;
            child.set_prior(weight);
        }
        for child in children {
            child.set_prior(child.prior() / total);
        }
    }

    /// Descends to the child with the highest selection score.
    fn descend<'t>(
        &mut self,
        tree: &'t Arena<G::Move>,
        node: &'t Node<G::Move>,
        position: &mut G,
    ) -> (&'t Node<G::Move>, u32) {
        let (first, children) = tree.children(node);
        let mover = position.to_move().unwrap_or(Seat::FIRST);
        let Shared { options, history, .. } = *self.shared;
        let crossroads = Crossroads { position, mover, node, children, options, history };
        let chosen = crossroads.select(self.rng.below(children.len() as u64) as usize);
        let child = &children[chosen];
        let mv = child.mv().expect("a child has a move");
        let way = if options.switches.history { position.slot(mv).way } else { 0 };
        let progress = position.play(mv);
        self.line.push(position, progress);
        self.nodes += 1;
        self.path.push(Step { index: first + chosen as Index, mover, way });
        (child, child.visit())
    }

    /// Backs up the result to the root.
    fn back_up(&mut self, tree: &Arena<G::Move>, mut shares: Shares) {
        let switches = self.shared.options.switches;
        self.deepest = self.deepest.max(self.path.len() as u32 - 1);
        let mut mover = None;
        for step in self.path.drain(..).rev() {
            let node = tree.node(step.index);
            if mover.is_some() && (switches.minimax || switches.solver) {
                learn(self.shared, node, tree.children(node).1, mover);
                let bounds = node.bounds();
                if switches.solver && bounds.settle_all(self.shared.seats) {
                    shares = bounds.shares(self.shared.seats);
                }
            }
            if step.index != ROOT {
                node.add(shares[step.mover]);
                if switches.history {
                    self.shared.history.add(step.mover, step.way, shares[step.mover]);
                }
            }
            mover = Some(step.mover);
        }
        while self.line.plies() > self.shared.root.history.plies() {
            self.line.pop();
        }
    }

    fn learn(&self, node: &Node<G::Move>, children: &[Node<G::Move>], mover: Option<Seat>) {
        learn(self.shared, node, children, mover);
    }
}

/// Updates a node from its children: the proven bounds, and the evaluations backed up as in max^n.
fn learn<G: Hints>(
    shared: &Shared<'_, G>,
    node: &Node<G::Move>,
    children: &[Node<G::Move>],
    mover: Option<Seat>,
) {
    let (Some(mover), switches) = (mover, shared.options.switches) else { return };
    if children.is_empty() {
        return;
    }
    if switches.minimax {
        let best =
            children.iter().map(Node::guess).max_by(|a, b| a.of(mover).total_cmp(&b.of(mover)));
        node.set_guess(best.unwrap_or(node.guess()));
    }
    if switches.solver {
        let bounds = Bounds::of_moves(children.iter().map(Node::bounds), mover, shared.seats);
        if bounds != node.bounds() {
            node.set_bounds(bounds, 1 + distance(children, &bounds, mover));
        }
    }
}

/// Records the places that are decided while the game goes on for the others, who share what is
/// left: the points of all results add up to half a win per player.
fn note_places<G: Hints>(child: &Node<G::Move>, after: &G, seats: usize) {
    let mut bounds = Bounds::OPEN;
    let mut left = seats * usize::from(WIN) / 2;
    for seat in Seat::all(seats) {
        if let Some(points) = after.secured(seat) {
            (bounds.low[seat.index()], bounds.high[seat.index()]) = (points, points);
            left = left.saturating_sub(usize::from(points));
        }
    }
    for seat in Seat::all(seats).filter(|&seat| after.secured(seat).is_none()) {
        bounds.high[seat.index()] = left.min(usize::from(WIN)) as u8;
    }
    child.set_bounds(bounds, 0);
}

/// The plies to the end if the mover plays best: shortest for wins, longest otherwise.
fn distance<M: Copy>(children: &[Node<M>], bounds: &Bounds, mover: Seat) -> u16 {
    let me = mover.index();
    let of = |wanted: fn(&Bounds, usize) -> u8| {
        let best = children.iter().filter(move |c| wanted(&c.bounds(), me) >= bounds.low[me]);
        best.map(Node::distance)
    };
    let is_won = bounds.low_share(mover) > 0.5;
    let soonest = if is_won { of(|of, me| of.low[me]).min() } else { None };
    soonest.or_else(|| of(|of, me| of.high[me]).max()).unwrap_or(0)
}

/// The value of a move by the game's hints, in hundredths of its unit: noisy ones by their urgency,
/// quiet ones by their bias.
fn liking<G: Hints>(position: &G, mv: G::Move) -> i32 {
    position.urgency(mv).unwrap_or_else(|| position.bias(mv))
}
