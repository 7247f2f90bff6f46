//! What a scenario asks of its reader: questions with their answers, and goals.

use crate::engine::names::us;
use highwater_core::script::Text;
use highwater_core::sim::Timeline;
use serde::Serialize;
use tsify::Tsify;

/// Words in both languages.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct LessonWordsView {
    /// English.
    pub en: Option<String>,
    /// 中文.
    pub zh: Option<String>,
}

/// An answer to choose among others.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct LessonAnswerView {
    /// Whether it is the right one.
    pub right: bool,
    /// The answer.
    pub words: LessonWordsView,
    /// What is said to whoever chooses it.
    pub reply: LessonWordsView,
}

/// A step of a lesson, of a time: something that is said, asked or to be reached.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct LessonStepView {
    /// When.
    pub time: i64,
    /// Its line in the script, from 1.
    pub line: u32,
    /// What kind of step it is.
    #[tsify(type = "\"say\" | \"ask\" | \"goal\"")]
    pub kind: &'static str,
    /// What is said.
    pub words: LessonWordsView,
    /// A question's answers.
    pub answers: Vec<LessonAnswerView>,
    /// Whether a goal's condition holds now.
    pub met: bool,
}

fn words(text: &Text) -> LessonWordsView {
    LessonWordsView { en: text.en.clone(), zh: text.zh.clone() }
}

/// All steps of the script, in order of time and, at the same time, of lines.
pub(crate) fn steps(timeline: &Timeline) -> Vec<LessonStepView> {
    let script = timeline.script();
    let step = |kind, at, line, text| LessonStepView {
        time: us(at),
        line: line as u32 + 1,
        kind,
        words: words(text),
        answers: Vec::new(),
        met: false,
    };
    let says = script.says().map(|s| step("say", s.at, s.line, s.what));
    let mut all: Vec<LessonStepView> = says.collect();
    for question in script.questions() {
        let answers = script.answers_to(question.line);
        let answers = answers.map(|answer| LessonAnswerView {
            right: answer.right,
            words: words(&answer.words),
            reply: words(&answer.reply),
        });
        let answers = answers.collect();
        let asked = step("ask", question.at, question.line, question.words);
        all.push(LessonStepView { answers, ..asked });
    }
    for (goal, expected) in script.goals() {
        let met = timeline.world().meets(expected, timeline.tape());
        all.push(LessonStepView { met, ..step("goal", goal.at, goal.line, goal.what) });
    }
    all.sort_by_key(|step| (step.time, step.line));
    all
}
