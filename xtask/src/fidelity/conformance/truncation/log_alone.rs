//! A log by itself: appends as a follower makes them, and cuts.

use super::seen;
use crate::fidelity::conformance::fields::{Fields, NO_LIMITS, append_run, record, restart_log};
use crate::fidelity::conformance::{Bench, Outcome, common_op, unknown_field};
use highwater_core::log::{AppendError, Batch, Log};
use highwater_core::partition::high_watermark;
use highwater_core::words::Micros;
use serde_json::{Value, json};

pub struct LogAlone {
    pub log: Log,
    pub hw: i64,
}

impl LogAlone {
    fn append_follower(&mut self, input: &Fields<'_>) -> Result<Outcome, String> {
        if let Some(offsets) = input.list("offsets")? {
            let batches: Vec<Batch> =
                offsets.iter().filter_map(Value::as_i64).map(|o| record(0, o)).collect();
            return Ok(self.append_all(batches));
        }
        let (base, n) = (input.need("offset")?, input.int_or("n", 1)?);
        let one = record(input.int_or("epoch", 0)? as i32, base);
        let records = (base..base + n).map(|o| record(0, o).records[0]).collect();
        Ok(self.append_all(vec![Batch { records, ..one }]))
    }

    /// Appends what came with one fetch, and tells from where to where that reached.
    fn append_all(&mut self, batches: Vec<Batch>) -> Outcome {
        let first = batches.first().map(|b| b.base);
        let last = batches.last().map(|b| b.end() - 1);
        let mut appended = Log::check_order(&batches);
        for batch in batches {
            appended = appended.and_then(|()| {
                self.log.append_as_follower(batch, NO_LIMITS, Micros::ZERO).map(drop)
            });
        }
        let mut outcome = append_result(appended);
        outcome.insert("first".into(), json!(first));
        outcome.insert("last".into(), json!(last));
        outcome
    }
}

fn append_result(appended: Result<(), AppendError>) -> Outcome {
    let error = match appended {
        Ok(()) => "NONE",
        Err(AppendError::NotContiguous) => "UNEXPECTED_APPEND_OFFSET",
        Err(AppendError::OutOfOrder) => "OFFSETS_OUT_OF_ORDER",
        Err(AppendError::Refused(error)) => error.constant(),
    };
    [("error".to_string(), json!(error))].into_iter().collect()
}

impl Bench for LogAlone {
    fn act(&mut self, op: &str, input: &Fields<'_>) -> Result<Outcome, String> {
        match op {
            "truncateTo" => drop(self.log.truncate_to(input.need("offset")?, Micros::ZERO)),
            "truncateAllStartAt" => self.hw = restart_log(&mut self.log, input, Micros::ZERO)?,
            "becomeLeader" => self.log.begin_epoch(input.need("leaderEpoch")? as i32),
            "append" => {
                let (end, n) = (self.log.end(), input.need("n")?);
                let epoch = self.log.epochs().latest_epoch().max(0);
                let epoch = input.int_or("epoch", epoch.into())? as i32;
                append_run(&mut self.log, epoch, end, end + n)?;
            }
            "appendFollower" => return self.append_follower(input),
            "setHw" => self.hw = input.need("to")?,
            other => return common_op(other, input),
        }
        self.hw = high_watermark::followed(self.hw, self.log.start(), self.log.end());
        Ok(Outcome::new())
    }

    fn look(&mut self, name: &str, _: &Value) -> Result<Value, String> {
        match name {
            "log" => Ok(seen(&self.log, self.hw)),
            _ => unknown_field(name),
        }
    }
}
