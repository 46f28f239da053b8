//! A prover for rules texts: a simple reference implementation, with limits on everything.
//!
//! A question is a term in which some parts are free, such as `(legal white ?)`. Its answers are
//! all matching terms that follow from the rules. They are found by going through the rules about
//! the topic, and through the conditions of each from left to right, with a list of all variable
//! bindings so far; every condition is a question again. Answers are cached: for ever if they do
//! not depend on the state or the moves, else until these change.

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::fmt;
use std::rc::Rc;

use crate::kif::Term;
use crate::rules::{Condition, Expr, Rule, RuleError, Rules, Topic};
use crate::terms::{Id, Terms};

/// The maximum number of nested questions, each asked to answer the one before.
const DEEPEST_QUESTION: usize = 100;

/// Why a proof was given up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// It took more steps than allowed.
    Steps,
    /// Questions were nested too deeply.
    Depth,
    /// The answer to this question depends on itself.
    Circular(Term),
    /// A term became too large.
    Size,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Steps => f.write_str("a proof takes too many steps"),
            Stop::Depth => f.write_str("a proof is nested too deeply"),
            Stop::Circular(question) => {
                write!(f, "the rules for {} are circular", question.brief())
            }
            Stop::Size => f.write_str("a term becomes too large"),
        }
    }
}

impl Error for Stop {}

/// A state of the game: all fluents that are true in it. It belongs to the prover it came from.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct State(Vec<Id>);

/// The values of a rule's variables; free where there is none yet.
type Values = Box<[Id]>;

/// Answers questions about one rules text.
///
/// ```
/// use agon_gdl::{kif, prover::Prover};
/// let rules = kif::read("(role you) (init (light off)) (<= (legal you ?x) (true (light ?x)))");
/// let mut prover = Prover::new(&rules.unwrap(), 1_000).unwrap();
/// let start = prover.initial().unwrap();
/// assert_eq!(prover.legal(&start, "you").unwrap(), [kif::Term::from("off")]);
/// ```
pub struct Prover {
    rules: Rc<Rules>,
    terms: Terms,
    steps_left: u64,
    /// `(true FLUENT)` for every fluent of the state, and `(does ROLE MOVE)`.
    given: HashMap<Topic, Vec<Id>>,
    lasting: HashMap<Id, Rc<[Id]>>,
    passing: HashMap<Id, Rc<[Id]>>,
    open: HashSet<Id>,
}

impl Prover {
    /// A prover for a text in any case, with a total limit on steps.
    pub fn new(rules: &[Term], steps: u64) -> Result<Prover, RuleError> {
        let mut terms = Terms::new();
        let rules = Rc::new(Rules::read(rules, &mut terms)?);
        Ok(Prover {
            rules,
            terms,
            steps_left: steps,
            given: HashMap::new(),
            lasting: HashMap::new(),
            passing: HashMap::new(),
            open: HashSet::new(),
        })
    }

    /// The initial state of the game.
    pub fn initial(&mut self) -> Result<State, Stop> {
        self.look_at(HashMap::new());
        let init = self.terms.word("init");
        self.state(&[init, Id::FREE])
    }

    /// The moves a role may make, in no particular order.
    pub fn legal(&mut self, state: &State, role: &str) -> Result<Vec<Term>, Stop> {
        self.for_role(state, "legal", role)
    }

    /// The points of a role; one number, if the text is well-formed.
    pub fn goals(&mut self, state: &State, role: &str) -> Result<Vec<Term>, Stop> {
        self.for_role(state, "goal", role)
    }

    /// Whether the game is over.
    pub fn is_terminal(&mut self, state: &State) -> Result<bool, Stop> {
        self.consider(state, &[])?;
        let terminal = self.terms.word("terminal");
        Ok(!self.answers(terminal)?.is_empty())
    }

    /// The state after every role has made its move.
    pub fn next(&mut self, state: &State, moves: &[(&str, Term)]) -> Result<State, Stop> {
        self.consider(state, moves)?;
        let next = self.terms.word("next");
        self.state(&[next, Id::FREE])
    }

    /// What is true in a state, in a fixed order.
    pub fn fluents(&mut self, state: &State) -> Result<Vec<Term>, Stop> {
        self.written_out(&state.0)
    }

    fn for_role(&mut self, state: &State, word: &str, role: &str) -> Result<Vec<Term>, Stop> {
        self.consider(state, &[])?;
        let (word, role) = (self.terms.word(word), self.terms.word(&role.to_ascii_lowercase()));
        let found = self.last_parts(&[word, role, Id::FREE])?;
        self.written_out(&found)
    }

    /// Converts to plain terms. This costs more than proving them, as plain terms share no parts.
    fn written_out(&mut self, ids: &[Id]) -> Result<Vec<Term>, Stop> {
        const STEPS_A_WORD: usize = 4;
        let mut terms = Vec::new();
        for &id in ids {
            self.spend(STEPS_A_WORD * self.terms.size(id))?;
            terms.push(self.terms.term(id));
        }
        Ok(terms)
    }

    fn state(&mut self, question: &[Id]) -> Result<State, Stop> {
        let mut fluents = self.last_parts(question)?;
        fluents.sort_unstable();
        Ok(State(fluents))
    }

    /// Asks, and returns the last part of every answer.
    fn last_parts(&mut self, question: &[Id]) -> Result<Vec<Id>, Stop> {
        let question = self.list(question.to_vec())?;
        let answers = self.answers(question)?;
        let last = |&answer: &Id| self.terms.parts(answer).and_then(|parts| parts.last().copied());
        Ok(answers.iter().filter_map(last).collect())
    }

    /// Switches to a state and the moves made in it.
    fn consider(&mut self, state: &State, moves: &[(&str, Term)]) -> Result<(), Stop> {
        let (holds, does) = (self.terms.word("true"), self.terms.word("does"));
        self.spend(state.0.len() + moves.len())?;
        let (mut facts, mut actions) = (Vec::new(), Vec::new());
        for &fluent in &state.0 {
            facts.push(self.list(vec![holds, fluent])?);
        }
        for (role, mv) in moves {
            let role = self.terms.word(&role.to_ascii_lowercase());
            let mv = self.terms.number(&mv.lower()).ok_or(Stop::Size)?;
            actions.push(self.list(vec![does, role, mv])?);
        }
        self.look_at(HashMap::from([((holds, 2), facts), ((does, 3), actions)]));
        Ok(())
    }

    fn look_at(&mut self, given: HashMap<Topic, Vec<Id>>) {
        // A question that was abandoned is no longer open.
        self.open.clear();
        if self.given != given {
            self.given = given;
            self.passing.clear();
        }
    }

    /// All answers to a question; at least one if there is any, where nothing is free in it.
    fn answers(&mut self, question: Id) -> Result<Rc<[Id]>, Stop> {
        self.spend(1)?;
        let known = self.lasting.get(&question).or_else(|| self.passing.get(&question));
        if let Some(answers) = known {
            return Ok(Rc::clone(answers));
        }
        if !self.open.insert(question) {
            return Err(Stop::Circular(self.terms.term(question)));
        }
        if self.open.len() > DEEPEST_QUESTION {
            return Err(Stop::Depth);
        }
        let topic = self.topic(question);
        let answers: Rc<[Id]> = self.proven(question, topic)?.into();
        self.open.remove(&question);
        let changes = self.rules.changes(topic);
        let kept = if changes { &mut self.passing } else { &mut self.lasting };
        kept.insert(question, Rc::clone(&answers));
        Ok(answers)
    }

    fn topic(&self, question: Id) -> Topic {
        match self.terms.parts(question) {
            Some(parts) => (parts.first().copied().unwrap_or(Id::FREE), parts.len()),
            None => (question, 0),
        }
    }

    fn proven(&mut self, question: Id, topic: Topic) -> Result<Vec<Id>, Stop> {
        let mut answers = Vec::new();
        let mut seen = HashSet::new();
        for fact in self.given.get(&topic).cloned().unwrap_or_default() {
            if self.fits(question, fact)? && seen.insert(fact) {
                answers.push(fact);
            }
        }
        let rules = Rc::clone(&self.rules);
        for rule in rules.about(topic) {
            for answer in self.follow(rule, question)? {
                if self.fits(question, answer)? && seen.insert(answer) {
                    answers.push(answer);
                }
            }
            if !answers.is_empty() && self.terms.is_ground(question) {
                break;
            }
        }
        Ok(answers)
    }

    /// The answers of one rule to a question. Some may not match, as parts that are free twice in
    /// the question are not compared.
    fn follow(&mut self, rule: &Rule, question: Id) -> Result<Vec<Id>, Stop> {
        self.spend(rule.variables)?;
        let mut values: Values = vec![Id::FREE; rule.variables].into();
        if !self.bind(&rule.head, question, &mut values)? {
            return Ok(Vec::new());
        }
        let mut found = vec![values];
        for condition in &rule.body {
            let mut extended = Vec::new();
            for values in found {
                self.extend(condition, values, &mut extended)?;
            }
            found = extended;
        }
        found.iter().map(|values| self.fill(&rule.head, values)).collect()
    }

    /// Extends the bindings by those for which the condition holds too.
    fn extend(
        &mut self,
        condition: &Condition,
        values: Values,
        into: &mut Vec<Values>,
    ) -> Result<(), Stop> {
        match condition {
            Condition::Differ { these: [a, b], wanted } => {
                if (self.fill(a, &values)? != self.fill(b, &values)?) == *wanted {
                    into.push(values);
                }
            }
            Condition::Holds { what, wanted } => {
                let question = self.fill(what, &values)?;
                let answers = self.answers(question)?;
                if !wanted {
                    into.extend(answers.is_empty().then_some(values));
                    return Ok(());
                }
                for &answer in answers.iter() {
                    self.spend(values.len())?;
                    let mut values = values.clone();
                    if self.bind(what, answer, &mut values)? {
                        into.push(values);
                    }
                }
            }
        }
        Ok(())
    }

    /// Binds variables so that an expression matches a term, if possible. What is free in the term
    /// matches everything and binds nothing.
    fn bind(&mut self, expr: &Expr, term: Id, values: &mut [Id]) -> Result<bool, Stop> {
        self.spend(1)?;
        Ok(match expr {
            Expr::Variable(variable) => {
                let Some(value) = values.get_mut(*variable) else { return Ok(false) };
                if !self.terms.is_ground(term) {
                    return Ok(true);
                }
                if *value == Id::FREE {
                    *value = term;
                }
                *value == term
            }
            Expr::Word(word) => term == *word || term == Id::FREE,
            Expr::List(exprs) => {
                let Some(length) = self.terms.parts(term).map(<[Id]>::len) else {
                    return Ok(term == Id::FREE);
                };
                let mut fits = length == exprs.len();
                for (index, expr) in exprs.iter().enumerate().take(length) {
                    fits = fits && self.bind(expr, self.part(term, index), values)?;
                }
                fits
            }
        })
    }

    fn part(&self, term: Id, index: usize) -> Id {
        self.terms.parts(term).and_then(|parts| parts.get(index).copied()).unwrap_or(Id::FREE)
    }

    /// Substitutes the values into an expression; variables without a value are free.
    fn fill(&mut self, expr: &Expr, values: &[Id]) -> Result<Id, Stop> {
        self.spend(1)?;
        match expr {
            Expr::Variable(variable) => Ok(values.get(*variable).copied().unwrap_or(Id::FREE)),
            Expr::Word(word) => Ok(*word),
            Expr::List(exprs) => {
                let mut parts = Vec::with_capacity(exprs.len());
                for expr in exprs {
                    parts.push(self.fill(expr, values)?);
                }
                self.list(parts)
            }
        }
    }

    /// Whether a term matches a question.
    fn fits(&mut self, question: Id, term: Id) -> Result<bool, Stop> {
        self.spend(1)?;
        if question == term || question == Id::FREE || self.terms.is_ground(question) {
            return Ok(question == term || question == Id::FREE);
        }
        let length = |id| self.terms.parts(id).map(<[Id]>::len);
        let (Some(length), true) = (length(question), length(question) == length(term)) else {
            return Ok(false);
        };
        for index in 0..length {
            if !self.fits(self.part(question, index), self.part(term, index))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn list(&mut self, parts: Vec<Id>) -> Result<Id, Stop> {
        self.terms.list(parts).ok_or(Stop::Size)
    }

    fn spend(&mut self, steps: usize) -> Result<(), Stop> {
        self.steps_left = self.steps_left.checked_sub(steps as u64).ok_or(Stop::Steps)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
