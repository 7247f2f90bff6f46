//! What makes a scenario a lesson: questions with answers to guess among, and goals to reach.

use super::ast::{Answer, Expectation, Script, Statement, Text};
use super::check::Parsed;
use super::cursor::Cursor;
use super::error::{Fault, ScriptError};
use super::fields::expectations;
use super::parse::text_before;
use super::values::shown;
use super::{MAX_ANSWERS, Timed};
use crate::words::{Micros, Phrase, Said};
use alloc::vec::Vec;

/// A question of a script, with the answers on the lines below it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Question<'a> {
    /// When it is asked.
    pub at: Micros,
    /// The index of its line in [`Script::lines`].
    pub line: usize,
    /// What is asked.
    pub words: &'a Text,
}

impl Script {
    /// Every question, in order of time and, at the same time, of lines.
    pub fn questions(&self) -> impl Iterator<Item = Question<'_>> {
        let asked = self.timed(|s| match s {
            Statement::Ask(at, words) => Some((*at, words)),
            _ => None,
        });
        asked.map(|Timed { at, line, what: words }| Question { at, line, words })
    }

    /// The answers to the question on that line: those up to the next question, in the order of the
    /// text. Lines of other kinds may stand between them, since a click inserts lines by their time.
    pub fn answers_to(&self, line: usize) -> impl Iterator<Item = &Answer> {
        let below = self.statements().filter(move |(i, _)| *i > line).map(|(_, s)| s);
        below.take_while(|s| !matches!(s, Statement::Ask(..))).filter_map(|s| match s {
            Statement::Answer(answer) => Some(answer),
            _ => None,
        })
    }

    /// Every goal, in order of time and, at the same time, of lines.
    pub fn goals(&self) -> impl Iterator<Item = (Timed<'_, Text>, &[Expectation])> {
        let goals = self.timed(|s| match s {
            Statement::Goal(at, ..) => Some((*at, s)),
            _ => None,
        });
        goals.filter_map(|Timed { at, line, what }| match what {
            Statement::Goal(_, words, expected) => {
                Some((Timed { at, line, what: words }, expected.as_slice()))
            }
            _ => None,
        })
    }
}

/// Reads what follows `answer`.
pub(super) fn answer(cursor: &mut Cursor<'_>) -> Result<Answer, Fault> {
    let verdict = cursor.word(Phrase::AnswerForm)?;
    let right = match verdict.text.as_str() {
        "right" => true,
        "wrong" => false,
        other => {
            let reason = Phrase::NoVerdict.of(&[&shown(other)]);
            return Err(Fault::new(verdict.column, reason, Said::verbatim("right, wrong")));
        }
    };
    let words = text_before(cursor, "reply")?;
    cursor.word(Phrase::AnswerForm)?;
    let reply = text_before(cursor, "")?;
    Ok(Answer { right, words, reply })
}

/// Reads what follows `goal`.
pub(super) fn goal(cursor: &mut Cursor<'_>) -> Result<Statement, Fault> {
    let at = cursor.duration(Phrase::TimeAndWords)?;
    let words = text_before(cursor, "expect")?;
    cursor.word(Phrase::GoalForm)?;
    Ok(Statement::Goal(at, words, expectations(cursor)?))
}

/// A question has two answers or more, of which one is right, and an answer has a question.
pub(super) fn check(parsed: &[Parsed], errors: &mut Vec<ScriptError>) {
    let begins = |p: &Parsed| match p.failed.as_ref().and_then(|l| l.tokens.first()) {
        Some(word) => matches!(word.text.as_str(), "ask" | "answer"),
        None => false,
    };
    if parsed.iter().any(begins) {
        return; // What cannot be read is no fault of its neighbours.
    }
    let mut open: Option<(u32, usize, usize)> = None;
    for p in parsed {
        match &p.line.statement {
            Some(Statement::Ask(..)) => {
                errors.extend(open.and_then(incomplete));
                open = Some((p.number, 0, 0));
            }
            Some(Statement::Answer(answer)) => match &mut open {
                Some((_, all, right)) => {
                    *all += 1;
                    *right += usize::from(answer.right);
                }
                None => {
                    let fault = Fault::new(1, Phrase::AnswerToNothing, Phrase::AskAbove);
                    errors.push(fault.on(p.number));
                }
            },
            _ => {}
        }
    }
    errors.extend(open.and_then(incomplete));
}

fn incomplete((line, all, right): (u32, usize, usize)) -> Option<ScriptError> {
    if right == 1 && (2..=MAX_ANSWERS).contains(&all) {
        return None;
    }
    let reason = Phrase::AnswersOfWhichRight.of(&[&all, &right]);
    let accepted = Phrase::AnswersForm.of(&[&MAX_ANSWERS]);
    Some(Fault::new(1, reason, accepted).on(line))
}
