//! Records that applications hand over, at a producer's ticks or by a line of the script.

use super::World;
use crate::client::{ClientTimer, NewRecord};
use crate::sim::client::Client;
use crate::sim::queue::Item;
use crate::sim::tape::{RecordInfo, Tape};
use crate::words::{ClientId, EventId, Node, RecordId};
use alloc::format;
use alloc::vec::Vec;

impl World {
    /// Sets a producer's rhythm going.
    pub(in crate::sim) fn arm_ticks(&mut self, id: ClientId, first: bool) {
        let incarnation = self.incarnation(Node::Client(id));
        let Some(Client::Producer(sender)) = self.clients.get_mut(id.0 as usize) else { return };
        sender.rhythm += 1;
        let Some(every) = sender.every else { return };
        let start = sender.decl.from.filter(|_| first).unwrap_or(self.now + every).max(self.now);
        let timer = ClientTimer::Tick(sender.rhythm);
        self.queue.push(start, Item::Client(id, incarnation, timer));
    }

    pub(super) fn tick(&mut self, id: ClientId, rhythm: u32, tape: &mut Tape) {
        let incarnation = self.incarnation(Node::Client(id));
        let now = self.now;
        let Some(Client::Producer(sender)) = self.clients.get_mut(id.0 as usize) else { return };
        if sender.rhythm != rhythm || sender.decl.until.is_some_and(|until| now >= until) {
            return;
        }
        let Some(every) = sender.every else { return };
        let timer = ClientTimer::Tick(rhythm);
        self.queue.push(now + every, Item::Client(id, incarnation, timer));
        let (burst, keys, first) = (sender.decl.burst.max(1), sender.decl.keys, sender.made);
        sender.made += burst;
        let name = &sender.decl.name;
        let infos = (first..first + burst).map(|n| {
            let key = (keys > 0).then(|| format!("k{}", n % keys).into());
            let value = format!("{name}-{}", n + 1).into();
            RecordInfo { producer: id, key, value }
        });
        let infos = infos.collect();
        self.send_records(id, infos, None, tape);
    }

    /// Hands records to a producer.
    pub(in crate::sim) fn send_records(
        &mut self,
        id: ClientId,
        infos: Vec<RecordInfo>,
        partition: Option<u32>,
        tape: &mut Tape,
    ) {
        let Some(Client::Producer(sender)) = self.clients.get(id.0 as usize) else { return };
        let (acks, idempotent) = (sender.producer.acks(), sender.producer.is_idempotent());
        let mut records = Vec::with_capacity(infos.len());
        for info in infos {
            self.audit.open(id, acks, idempotent);
            records.push(NewRecord {
                id: RecordId(self.next_record),
                key: info.key.clone(),
                bytes: info.bytes(),
                partition,
            });
            tape.add_record(self.next_record, info);
            self.next_record += 1;
        }
        self.client_does(id, tape, EventId::NONE, |client, fx| {
            if let Client::Producer(sender) = client {
                sender.producer.send(records, fx);
            }
        });
    }

    /// Starts a client again, with nothing remembered.
    pub(in crate::sim) fn renew_client(&mut self, id: ClientId) {
        let mut client = self.new_client(id.0 as usize);
        let Some(known) = self.clients.get_mut(id.0 as usize) else { return };
        // What the scenario counts goes on.
        match (&mut client, &mut *known) {
            (Client::Producer(new), Client::Producer(old)) => {
                new.made = old.made;
                new.producer.succeed(&old.producer);
            }
            (Client::Consumer(new), Client::Consumer(old)) => {
                new.account = core::mem::take(&mut old.account);
                new.consumer.succeed(&old.consumer);
            }
            _ => {}
        }
        *known = client;
    }
}
