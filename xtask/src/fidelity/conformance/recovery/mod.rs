//! Starts, stops and what is on disk (R1.7–R1.19).

mod given;
mod machine;

use super::cluster;
use super::controller::{Cluster, Governed, partition};
use super::fields::Fields;
use super::{Bench, Era, Outcome};
use highwater_core::wire::metadata::BrokerState;
use highwater_core::words::BrokerId;
use machine::Machine;
use serde_json::Value;

pub fn bench(era: &Era, given: &Fields<'_>) -> Result<Box<dyn Bench>, String> {
    // Replicas are of whole brokers, unless it is what one of them has on its disk that is given.
    if given.has("replicas") && !given.has("log") && !given.has("partitions") {
        let settings = cluster::Settings {
            min_isr: given.int("minIsr")?,
            acks: cluster::acks_of(given)?,
            ..cluster::Settings::default()
        };
        return Ok(Box::new(cluster::Played::of_replicas(era, &settings, given)?));
    }
    if let Some(fields) = given.object("partition")? {
        let state = partition(&fields)?;
        given.skip(&["cleanMark"]);
        let (back, known) = (given.broker("broker")?, given.int("brokerEpoch")?);
        // A partition that has an ELR is one of a cluster that keeps it.
        let elr = given.flag("elr", false)? || !state.elr.is_empty();
        let registered: Vec<(BrokerId, BrokerState)> = (100..)
            .zip(&state.replicas)
            .map(|(epoch, id)| {
                let own = known.filter(|_| back == Some(*id));
                let state = BrokerState {
                    epoch: own.unwrap_or(epoch),
                    incarnation: 1,
                    fenced: false,
                    shutting_down: false,
                    directory: 0,
                };
                (*id, state)
            })
            .collect();
        let setting = Cluster {
            release: era.release,
            rules: era.rules(elr),
            min_isr: given.int_or("minIsr", 1)?,
            unclean: false,
        };
        let governed = Governed::new(&setting, &registered, Some(state))?;
        return Ok(Box::new(Registering(governed)));
    }
    Ok(Box::new(Machine::new(era, given)?))
}

/// A broker comes back to its controller.
struct Registering(Governed);

impl Bench for Registering {
    fn act(&mut self, op: &str, input: &Fields<'_>) -> Result<Outcome, String> {
        match op {
            // The controller hears of it by the registration.
            "restart" => {
                input.skip(&["broker", "clean"]);
                Ok(Outcome::new())
            }
            _ => self.0.act(op, input),
        }
    }

    fn look(&mut self, name: &str, wanted: &Value) -> Result<Value, String> {
        self.0.look(name, wanted)
    }
}
