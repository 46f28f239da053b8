//! A rules text, parsed and checked before anything is proven with it.

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::fmt;
use std::rc::Rc;

use crate::kif::Term;
use crate::terms::{Id, Terms};

/// The maximum number of alternatives from the `or`s of one rule.
const MOST_ALTERNATIVES: usize = 64;
/// The maximum number of conditions of a rule.
const MOST_CONDITIONS: usize = 256;
/// The maximum number of conditions of all rules together, after expanding the `or`s.
const MOST_CONDITIONS_IN_ALL: usize = 100_000;

/// An invalid rules text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleError(String);

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for RuleError {}

/// A term of a rule.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Expr {
    /// A variable by its number within the rule.
    Variable(usize),
    Word(Id),
    List(Vec<Expr>),
}

/// A condition of a rule.
#[derive(Debug)]
pub(crate) enum Condition {
    /// This can be proven, or cannot if not `wanted`.
    Holds { what: Expr, wanted: bool },
    /// The two are different, or the same if not `wanted`.
    Differ { these: [Expr; 2], wanted: bool },
}

/// `head` holds where all of `body` does. The `or`s of the text have been expanded into separate
/// rules.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) head: Rc<Expr>,
    /// Ordered so that conditions that bind no variables come after those that do.
    pub(crate) body: Vec<Rc<Condition>>,
    /// How many variables there are.
    pub(crate) variables: usize,
}

/// What a statement is about: its first word and the number of its parts; 0 for a bare word.
pub(crate) type Topic = (Id, usize);

/// All rules of a text.
pub(crate) struct Rules {
    about: HashMap<Topic, Vec<Rule>>,
    /// What depends on the state or the moves.
    changing: HashSet<Topic>,
}

impl Rules {
    /// Reads a text in any case.
    pub(crate) fn read(texts: &[Term], terms: &mut Terms) -> Result<Rules, RuleError> {
        let mut rules = Rules { about: HashMap::new(), changing: HashSet::new() };
        let mut conditions = 0;
        for text in texts {
            let problem = |why: String| RuleError(format!("the rule {}: {why}", text.brief()));
            let text = &text.lower();
            let mut reader = RuleReader { terms, variables: HashMap::new() };
            for (topic, rule) in reader.rule(text).map_err(problem)? {
                conditions += rule.body.len();
                if conditions > MOST_CONDITIONS_IN_ALL {
                    return Err(RuleError("the rules have too many conditions".into()));
                }
                rules.about.entry(topic).or_default().push(rule);
            }
        }
        rules.changing = rules.depending_on(&[(terms.word("true"), 2), (terms.word("does"), 3)]);
        Ok(rules)
    }

    /// The rules about a topic.
    pub(crate) fn about(&self, topic: Topic) -> &[Rule] {
        self.about.get(&topic).map_or(&[], Vec::as_slice)
    }

    /// Whether a topic depends on the state or the moves.
    pub(crate) fn changes(&self, topic: Topic) -> bool {
        self.changing.contains(&topic)
    }

    fn depending_on(&self, roots: &[Topic]) -> HashSet<Topic> {
        let mut users: HashMap<Topic, Vec<Topic>> = HashMap::new();
        for (&user, rules) in &self.about {
            for condition in rules.iter().flat_map(|rule| &rule.body) {
                if let Condition::Holds { what, .. } = &**condition
                    && let Some(used) = what.topic()
                {
                    users.entry(used).or_default().push(user);
                }
            }
        }
        let mut found: HashSet<Topic> = roots.iter().copied().collect();
        let mut pending = roots.to_vec();
        while let Some(used) = pending.pop() {
            let users = users.get(&used).into_iter().flatten();
            pending.extend(users.filter(|&&user| found.insert(user)));
        }
        found
    }
}

impl Expr {
    fn topic(&self) -> Option<Topic> {
        match self {
            Expr::Variable(_) => None,
            Expr::Word(word) => Some((*word, 0)),
            Expr::List(parts) => match parts.first() {
                Some(Expr::Word(word)) => Some((*word, parts.len())),
                _ => None,
            },
        }
    }

    fn add_variables(&self, to: &mut HashSet<usize>) {
        match self {
            Expr::Variable(variable) => drop(to.insert(*variable)),
            Expr::Word(_) => {}
            Expr::List(parts) => parts.iter().for_each(|part| part.add_variables(to)),
        }
    }

    fn has_only(&self, variables: &HashSet<usize>) -> bool {
        match self {
            Expr::Variable(variable) => variables.contains(variable),
            Expr::Word(_) => true,
            Expr::List(parts) => parts.iter().all(|part| part.has_only(variables)),
        }
    }
}

impl Condition {
    /// Whether it can be decided once these variables are bound.
    fn is_ready(&self, valued: &HashSet<usize>) -> bool {
        match self {
            Condition::Holds { wanted: true, .. } => true,
            Condition::Holds { what, wanted: false } => what.has_only(valued),
            Condition::Differ { these, .. } => these.iter().all(|expr| expr.has_only(valued)),
        }
    }
}

/// Conditions that must hold together.
type Body = Vec<Rc<Condition>>;

/// Reads one rule and numbers its variables.
struct RuleReader<'t> {
    terms: &'t mut Terms,
    variables: HashMap<Box<str>, usize>,
}

impl RuleReader<'_> {
    /// A fact, or `(<= HEAD CONDITION …)`; several rules if there is an `or` in it.
    fn rule(&mut self, text: &Term) -> Result<Vec<(Topic, Rule)>, String> {
        let (head, conditions) = match text.list() {
            Some([arrow, head, conditions @ ..]) if arrow.is("<=") => (head, conditions),
            Some([arrow]) if arrow.is("<=") => return Err("it says nothing".into()),
            _ => (text, &[][..]),
        };
        let is_reserved = |term: &Term| {
            ["true", "does", "not", "or", "and", "distinct"].iter().any(|word| term.is(word))
        };
        if is_reserved(head.list().and_then(<[Term]>::first).unwrap_or(head)) {
            return Err("it is about a word of the language itself".into());
        }
        let head = Rc::new(self.expr(head));
        let topic = head.topic().ok_or("it does not begin with a word")?;
        let bodies = self.all_of(conditions, true)?;
        let variables = self.variables.len();
        let rule = |body| {
            let unsafe_rule = "a variable gets no value from any condition that is not negated";
            let body = in_order(body, &head).ok_or(unsafe_rule)?;
            Ok((topic, Rule { head: Rc::clone(&head), body, variables }))
        };
        bodies.into_iter().map(rule).collect()
    }

    /// The alternatives in which all conditions hold, or in which all fail.
    fn all_of(&mut self, conditions: &[Term], wanted: bool) -> Result<Vec<Body>, String> {
        let mut bodies = vec![Body::new()];
        for condition in conditions {
            let ways = self.ways(condition, wanted)?;
            let mut extended = Vec::new();
            if bodies.len() * ways.len() > MOST_ALTERNATIVES {
                return Err("it has too many alternatives".into());
            }
            // The last alternative takes the bodies without cloning: usually it is the only one.
            if let Some((last, others)) = ways.split_last() {
                for way in others {
                    extended.extend(bodies.iter().map(|body| [&body[..], &way[..]].concat()));
                }
                bodies.iter_mut().for_each(|body| body.extend(last.iter().cloned()));
                extended.append(&mut bodies);
            }
            bodies = extended;
            if bodies.iter().any(|body| body.len() > MOST_CONDITIONS) {
                return Err("it has too many conditions".into());
            }
        }
        Ok(bodies)
    }

    /// The alternatives in which one condition holds, or in which it fails.
    fn ways(&mut self, condition: &Term, wanted: bool) -> Result<Vec<Body>, String> {
        let (word, parts) = match condition.list() {
            Some([word, parts @ ..]) => (word, parts),
            _ => (condition, &[][..]),
        };
        let any = word.is("or");
        if any || word.is("and") {
            if any != wanted {
                return self.all_of(parts, wanted);
            }
            let mut bodies = Vec::new();
            for part in parts {
                bodies.append(&mut self.ways(part, wanted)?);
                if bodies.len() > MOST_ALTERNATIVES {
                    return Err("it has too many alternatives".into());
                }
            }
            return Ok(bodies);
        }
        let condition = match parts {
            [part] if word.is("not") => return self.ways(part, !wanted),
            [a, b] if word.is("distinct") => {
                Condition::Differ { these: [self.expr(a), self.expr(b)], wanted }
            }
            _ if word.is("not") || word.is("distinct") => {
                return Err(format!("{} does not have the parts it needs", condition.brief()));
            }
            _ => Condition::Holds { what: self.expr(condition), wanted },
        };
        if let Condition::Holds { what, .. } = &condition
            && what.topic().is_none()
        {
            return Err("a condition does not begin with a word".into());
        }
        Ok(vec![vec![Rc::new(condition)]])
    }

    fn expr(&mut self, term: &Term) -> Expr {
        match term {
            Term::Word(name) if name.starts_with('?') => {
                let next = self.variables.len();
                Expr::Variable(*self.variables.entry(name.clone()).or_insert(next))
            }
            Term::Word(word) => Expr::Word(self.terms.word(word)),
            Term::List(parts) => Expr::List(parts.iter().map(|part| self.expr(part)).collect()),
        }
    }
}

/// Moves conditions that bind nothing behind those that bind their variables. `None` if a variable
/// of such a condition or of the head stays unbound: the rule is not safe.
fn in_order(body: Body, head: &Expr) -> Option<Body> {
    let mut valued = HashSet::new();
    let (mut ordered, mut waiting) = (Body::new(), Body::new());
    for condition in body {
        match &*condition {
            Condition::Holds { what, wanted: true } => {
                what.add_variables(&mut valued);
                ordered.push(condition);
                let ready = waiting.extract_if(.., |waiting| waiting.is_ready(&valued));
                ordered.extend(ready);
            }
            other if other.is_ready(&valued) => ordered.push(condition),
            _ => waiting.push(condition),
        }
    }
    (waiting.is_empty() && head.has_only(&valued)).then_some(ordered)
}
