//! Reading a game text into moves, before they are played.

use std::ops::Range;

use super::super::{AnalysisError, COMMENT, NODES, Sign};
use super::comment::{self, Comment};
use super::lexer::{Lexer, Token};

/// A game as it is written.
#[derive(Default)]
pub(super) struct Written<'a> {
    /// The tags, and where they are.
    pub(super) tags: Vec<(String, String, usize)>,
    /// The comment before the first move.
    pub(super) comment: String,
    /// The moves.
    pub(super) moves: Vec<WrittenMove<'a>>,
    /// Whether there is more than blanks.
    pub(super) begun: bool,
}

/// A move as it is written.
pub(super) struct WrittenMove<'a> {
    /// The number of the move before it, from 1; 0 is the start.
    pub(super) parent: usize,
    /// Its text.
    pub(super) mv: String,
    /// Where that is.
    pub(super) at: usize,
    /// The comments on it.
    pub(super) comment: String,
    /// The commands in them, and where they are.
    pub(super) commands: Vec<(usize, &'a str)>,
    /// The sign behind it.
    pub(super) sign: Sign,
}

/// Walks through the games of a text.
pub(super) struct Games<'a> {
    text: &'a str,
    lexer: Lexer<'a>,
    /// The first word of the next game.
    next: Option<(Token<'a>, Range<usize>)>,
}

impl<'a> Games<'a> {
    pub(super) fn new(text: &'a str) -> Games<'a> {
        Games { text, lexer: Lexer::new(text), next: None }
    }

    /// The next game, unless the text has ended.
    pub(super) fn read(&mut self) -> Result<Option<Written<'a>>, AnalysisError> {
        let mut parser = Parser::new(self.text);
        while let Some((token, at)) = self.word(parser.moving)? {
            if !parser.take(token, at)? {
                break;
            }
        }
        parser.end(self.text.len())?;
        Ok(Some(parser.game).filter(|game| game.begun))
    }

    /// Passes over the next game, and says whether there was one.
    pub(super) fn skip(&mut self) -> Result<bool, AnalysisError> {
        let (mut found, mut moving) = (false, false);
        while let Some((token, _)) = self.word(moving)? {
            (found, moving) = (true, !matches!(token, Token::Tag(..)));
            if token == Token::Result {
                break;
            }
        }
        Ok(found)
    }

    /// The next word of this game. After moves, a tag begins the next game.
    fn word(&mut self, moving: bool) -> Result<Option<(Token<'a>, Range<usize>)>, AnalysisError> {
        let next = match self.next.take() {
            Some(next) => Some(next),
            None => self.lexer.next()?,
        };
        match next {
            Some((Token::Tag(..), _)) if moving => {
                self.next = next;
                Ok(None)
            }
            next => Ok(next),
        }
    }
}

/// A variation that is being read.
struct Variation {
    /// The move it is an alternative to.
    back: usize,
    /// Where it began.
    at: usize,
}

struct Parser<'a> {
    text: &'a str,
    game: Written<'a>,
    /// The last move of the line that is being read.
    current: usize,
    variations: Vec<Variation>,
    /// The comment before the first move of a variation, which belongs to that.
    ahead: Option<Comment<'a>>,
    /// Whether the tags are over.
    moving: bool,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Parser<'a> {
        let (game, variations) = (Written::default(), Vec::new());
        Parser { text, game, current: 0, variations, ahead: None, moving: false }
    }

    /// Takes a word, and says whether the game goes on.
    fn take(&mut self, token: Token<'a>, at: Range<usize>) -> Result<bool, AnalysisError> {
        self.game.begun = true;
        self.moving = !matches!(token, Token::Tag(..));
        match token {
            Token::Tag(name, value) => self.game.tags.push((name, value, at.start)),
            Token::Comment(inside) => {
                let mut comment = comment::read(inside);
                for (place, _) in &mut comment.commands {
                    *place += at.start + 1;
                }
                self.comment(comment, at.start)?;
            }
            Token::Move(mv, sign) => self.play(mv, sign, at)?,
            Token::Sign(sign) => match self.last() {
                Some(last) if last.sign == Sign::None => last.sign = sign,
                Some(_) => {}
                None => return Err(self.expected(at, "a move before its sign")),
            },
            Token::Open => self.open(at)?,
            Token::Close => self.close(at)?,
            Token::Result if self.variations.is_empty() => return Ok(false),
            Token::Result => return Err(self.expected(at, ") at the end of the variation")),
        }
        Ok(true)
    }

    fn expected(&self, at: Range<usize>, expected: &str) -> AnalysisError {
        AnalysisError::expected(self.text, at, expected)
    }

    /// The last move of this line; none at its beginning.
    fn last(&mut self) -> Option<&mut WrittenMove<'a>> {
        if self.ahead.is_some() {
            return None;
        }
        self.game.moves.get_mut(self.current.checked_sub(1)?)
    }

    fn play(&mut self, mv: String, sign: Sign, at: Range<usize>) -> Result<(), AnalysisError> {
        if self.game.moves.len() == NODES {
            return Err(self.expected(at, &format!("at most {NODES} moves")));
        }
        let Comment { text: comment, commands } = self.ahead.take().unwrap_or_default();
        let (parent, at) = (self.current, at.start);
        self.game.moves.push(WrittenMove { parent, mv, at, comment, commands, sign });
        self.current = self.game.moves.len();
        Ok(())
    }

    fn comment(&mut self, comment: Comment<'a>, at: usize) -> Result<(), AnalysisError> {
        let Comment { text, commands } = comment;
        let known = match (&mut self.ahead, self.current.checked_sub(1)) {
            (Some(ahead), _) => {
                ahead.commands.extend(commands);
                &mut ahead.text
            }
            (None, Some(last)) => {
                let last = &mut self.game.moves[last];
                last.commands.extend(commands);
                &mut last.comment
            }
            (None, None) => &mut self.game.comment,
        };
        if !known.is_empty() && !text.is_empty() {
            known.push(' ');
        }
        known.push_str(&text);
        if known.len() > COMMENT && known.chars().count() > COMMENT {
            let expected = format!("a comment of at most {COMMENT} characters");
            return Err(self.expected(at..at + 1, &expected));
        }
        Ok(())
    }

    fn open(&mut self, at: Range<usize>) -> Result<(), AnalysisError> {
        let Some(last) = self.last() else {
            return Err(self.expected(at, "a move before its variation"));
        };
        let parent = last.parent;
        self.variations.push(Variation { back: self.current, at: at.start });
        self.current = parent;
        self.ahead = Some(Comment::default());
        Ok(())
    }

    fn close(&mut self, at: Range<usize>) -> Result<(), AnalysisError> {
        if self.ahead.is_some() {
            return Err(self.expected(at, "a move before )"));
        }
        match self.variations.pop() {
            Some(variation) => self.current = variation.back,
            None => return Err(self.expected(at, "( before )")),
        }
        Ok(())
    }

    /// Nothing may be open at the end.
    fn end(&self, end: usize) -> Result<(), AnalysisError> {
        match self.variations.last() {
            Some(variation) => {
                let at = variation.at.min(end);
                Err(self.expected(at..at + 1, "a variation that ends with )"))
            }
            None => Ok(()),
        }
    }
}
