//! A question as the page asks it.

use highwater_core::settings::{Release, Rules};
use highwater_explore::kafka::{Fault, Property, Question, Refusal};
use js_sys::{Error, RangeError, TypeError};
use serde::Deserialize;
use tsify::Tsify;
use wasm_bindgen::JsValue;

/// What is asked.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct QuestionRequest {
    /// A release, such as `4.4`.
    release: String,
    /// Brokers, each with a replica.
    brokers: u8,
    /// `acks`: 0, 1 or −1.
    acks: i32,
    /// `min.insync.replicas`.
    min_isr: u8,
    /// `unclean.leader.election.enable`.
    unclean: bool,
    /// `flush.messages=1`.
    flush_every_record: bool,
    /// Records to send.
    records: u8,
    /// The last leader epoch.
    max_epoch: u8,
    /// The promise.
    property: PropertyName,
    /// Which faults may happen how often.
    faults: FaultsRequest,
}

/// A promise.
#[derive(Clone, Copy, Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub enum PropertyName {
    /// What was acknowledged survives.
    AckedSurvives,
    /// What a consumer saw stays.
    SeenStays,
    /// While a broker lives there is a leader.
    HasLeader,
}

/// How often each fault may happen.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FaultsRequest {
    /// A process is killed.
    crash: u8,
    /// A machine loses power.
    power: u8,
    /// A live broker's session ends.
    session: u8,
    /// A clean stop.
    stop: u8,
    /// The operator asks for an unclean election.
    unclean_election: u8,
    /// A live follower lags too long.
    lag: u8,
}

impl QuestionRequest {
    pub(super) fn question(&self) -> Result<Question, Error> {
        let unknown = || TypeError::new(&format!("a release is one of {}", Release::NAMES));
        let release = Release::parse(&self.release).ok_or_else(unknown);
        let release = release.map_err(|error| Error::from(JsValue::from(error)))?;
        let FaultsRequest { crash, power, session, stop, unclean_election, lag } = self.faults;
        let mut faults = [0; Fault::COUNT];
        for (fault, times) in [
            (Fault::Crash, crash),
            (Fault::Power, power),
            (Fault::Session, session),
            (Fault::Stop, stop),
            (Fault::UncleanElection, unclean_election),
            (Fault::Lag, lag),
        ] {
            faults[fault as usize] = times;
        }
        Ok(Question {
            release,
            rules: Rules::of(release, true),
            brokers: self.brokers,
            acks: self.acks,
            min_isr: self.min_isr,
            unclean: self.unclean,
            flush_every_record: self.flush_every_record,
            records: self.records,
            max_epoch: self.max_epoch,
            faults,
            property: match self.property {
                PropertyName::AckedSurvives => Property::AckedSurvives,
                PropertyName::SeenStays => Property::SeenStays,
                PropertyName::HasLeader => Property::HasLeader,
            },
            alive: 1,
        })
    }
}

/// The question is beyond the model's bounds: a `RangeError` named after the bound.
pub(super) fn refused(refusal: Refusal) -> Error {
    let (name, words) = match refusal {
        Refusal::Brokers => ("brokers", "1 to 5 brokers"),
        Refusal::Records => ("records", "1 to 3 records"),
        Refusal::Epochs => ("epochs", "1 to 7 leader epochs after the first"),
        Refusal::Faults => ("faults", "each fault at most 3 times"),
        Refusal::Acks => ("acks", "acks 0, 1 or all"),
        Refusal::MinIsr => ("minIsr", "min.insync.replicas 1 to 5"),
        Refusal::Release => ("release", "a release: 0.8.2, 2.8, 3.9, 4.1 or 4.4"),
        Refusal::TooMuch => ("tooMuch", "fewer brokers, records or epochs at a time"),
    };
    let error: Error = JsValue::from(RangeError::new(words)).into();
    error.set_name(name);
    error
}
