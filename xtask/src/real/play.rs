//! A plan, played on a real cluster in real time.

use super::artifacts::Artifacts;
use super::cluster::{COORDINATOR, Cluster};
use super::driver::{Driver, Lines};
use super::plan::{Client, Fate, Order, Plan, Target};
use crate::error::Error;
use highwater_core::words::Micros;
use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How long before it is due the process of a client is started: Java takes its time.
const AHEAD: Micros = Micros::from_ms(3500);
/// From the end of the preparations until the script begins.
const LEAD_MS: i64 = 300;

/// What was heard of a play.
pub struct Heard {
    /// Time in milliseconds from the start, and the line.
    pub lines: Vec<(i64, String)>,
    /// When the port of a server that was started was open, in the order of these times.
    pub opened: Vec<(u16, i64)>,
}

struct Stage<'a> {
    artifacts: &'a Artifacts,
    plan: &'a Plan,
    cluster: Cluster<'a>,
    lines: Lines,
    /// The process with the operator, and with all clients that live as long as it does.
    shared: Driver,
    /// The processes of clients that the script ends.
    alone: BTreeMap<String, Driver>,
    /// Those of clients that are to be started again.
    next: BTreeMap<String, Driver>,
    servers: String,
    /// When the script began, in milliseconds since 1970.
    began: i64,
    opened: Vec<(u16, i64)>,
    /// Servers whose ports are not open yet.
    opening: Vec<u16>,
}

/// Plays the plan to its end. Nothing is left running, whatever happens.
pub fn play(artifacts: &Artifacts, plan: &Plan) -> Result<Heard, Error> {
    let cluster = Cluster::start(artifacts, plan)?;
    let lines = Lines::default();
    let mut shared = Driver::start(artifacts, &lines)?;
    let servers = cluster.servers();
    prepare(&mut shared, plan, &servers)?;
    let mut stage = Stage {
        artifacts,
        plan,
        cluster,
        lines,
        shared,
        alone: BTreeMap::new(),
        next: BTreeMap::new(),
        servers,
        began: 0,
        opened: Vec::new(),
        opening: Vec::new(),
    };
    stage.gather()?;
    stage.began = now() + LEAD_MS;
    stage.perform()?;
    Ok(stage.heard())
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

fn ms(time: Micros) -> i64 {
    i64::try_from(time.0 / 1000).unwrap_or(i64::MAX)
}

/// The topics that are there from the start, and a driver that has done everything once.
fn prepare(driver: &mut Driver, plan: &Plan, servers: &str) -> Result<(), Error> {
    driver.tell(&["admin".to_owned(), servers.to_owned()])?;
    driver.ask(&["await", &plan.brokers.len().to_string()], "done\toperator\tawait")?;
    for topic in &plan.topics {
        let words: Vec<&str> = topic.iter().map(String::as_str).collect();
        driver.ask(&words, "done\toperator\tcreate")?;
        let count = topic[2].split(';').count().to_string();
        driver.ask(&["await-topic", &topic[1], &count], "done\toperator\tawait-topic")?;
    }
    match plan.first_topic() {
        Some(topic) => driver.ask(&["warm", servers, topic], "warmed"),
        None => Ok(()),
    }
}

impl Stage<'_> {
    /// The processes of clients that need one of their own.
    fn gather(&mut self) -> Result<(), Error> {
        for client in self.plan.clients.iter().filter(|c| c.is_alone) {
            let mut driver = Driver::start(self.artifacts, &self.lines)?;
            if let Some(topic) = self.plan.first_topic() {
                driver.ask(&["warm", &self.servers, topic], "warmed")?;
            }
            driver.tell(&with_servers(client, &self.servers))?;
            self.alone.insert(client.name.clone(), driver);
        }
        Ok(())
    }

    fn perform(&mut self) -> Result<(), Error> {
        let plan = self.plan;
        self.sleep_until(Micros::ZERO);
        for client in &plan.clients {
            self.begin(client)?;
        }
        let mut ahead = plan.starts_of_clients();
        ahead.reverse();
        for (at, order) in plan.orders.iter().filter(|(at, _)| *at <= plan.until) {
            while let Some((due, client)) = ahead.pop_if(|(due, _)| due.0 <= at.0 + AHEAD.0) {
                self.sleep_until(Micros(due.0.saturating_sub(AHEAD.0)));
                let mut driver = Driver::start(self.artifacts, &self.lines)?;
                if let Some(topic) = plan.first_topic() {
                    let words = ["warm".to_owned(), self.servers.clone(), topic.to_owned()];
                    driver.tell(&words)?;
                }
                driver.tell(&with_servers(client, &self.servers))?;
                self.next.insert(client.name.clone(), driver);
            }
            self.sleep_until(*at);
            self.obey(order)?;
        }
        self.sleep_until(plan.until);
        Ok(())
    }

    /// Waits, and meanwhile looks whether servers that were started have opened their ports.
    fn sleep_until(&mut self, at: Micros) {
        let due = self.began + ms(at);
        loop {
            let cluster = &self.cluster;
            let open: Vec<u16> =
                self.opening.iter().copied().filter(|id| cluster.is_open(*id)).collect();
            let since = now() - self.began;
            self.opening.retain(|id| !open.contains(id));
            self.opened.extend(open.into_iter().map(|id| (id, since)));
            let left = u64::try_from(due - now()).unwrap_or(0);
            if left == 0 {
                return;
            }
            std::thread::sleep(Duration::from_millis(left.min(20)));
        }
    }

    fn obey(&mut self, order: &Order) -> Result<(), Error> {
        match order {
            Order::Operator(words) => self.shared.tell(words),
            Order::Client(name, words) => self.driver_of(name).tell(words),
            Order::Process(fate, Target::Client(name)) => self.fate_of_client(*fate, name),
            Order::Process(fate, Target::Broker(id)) => self.fate_of_server(*fate, *id),
            Order::Process(fate, Target::Coordinator) => self.fate_of_server(*fate, COORDINATOR),
        }
    }

    fn fate_of_server(&mut self, fate: Fate, id: u16) -> Result<(), Error> {
        match fate {
            Fate::Crash => self.cluster.process(id)?.kill(),
            Fate::Stop => self.cluster.process(id)?.signal("TERM")?,
            Fate::Pause => self.cluster.process(id)?.signal("STOP")?,
            Fate::Resume => self.cluster.process(id)?.signal("CONT")?,
            Fate::Start => {
                self.cluster.process(id)?.await_end();
                self.cluster.run(id)?;
                self.opening.push(id);
            }
        }
        Ok(())
    }

    fn fate_of_client(&mut self, fate: Fate, name: &str) -> Result<(), Error> {
        if fate == Fate::Start {
            if let Some(next) = self.next.remove(name) {
                self.alone.insert(name.to_owned(), next);
            }
            let plan = self.plan;
            return plan.clients.iter().filter(|c| c.name == name).try_for_each(|c| self.begin(c));
        }
        let driver = self.driver_of(name);
        match fate {
            Fate::Crash => driver.kill(),
            Fate::Stop => driver.tell(&["close".to_owned(), name.to_owned()])?,
            Fate::Pause => driver.signal("STOP")?,
            Fate::Resume => driver.signal("CONT")?,
            Fate::Start => {}
        }
        Ok(())
    }

    fn begin(&mut self, client: &Client) -> Result<(), Error> {
        if !client.is_alone {
            self.shared.tell(&with_servers(client, &self.servers))?;
        }
        let words = ["begin".to_owned(), client.name.clone()];
        self.driver_of(&client.name).tell(&words)
    }

    fn driver_of(&mut self, client: &str) -> &mut Driver {
        match self.alone.get_mut(client) {
            Some(driver) => driver,
            None => &mut self.shared,
        }
    }

    fn heard(&mut self) -> Heard {
        let lines = std::mem::take(&mut *self.lines.lock().expect("a list"));
        let since = |at: u64| i64::try_from(at).unwrap_or_default() - self.began;
        let mut lines: Vec<_> = lines.into_iter().map(|(at, line)| (since(at), line)).collect();
        lines.retain(|(at, _)| (-1..=ms(self.plan.until)).contains(at));
        lines.sort_by_key(|(at, _)| *at);
        Heard { lines, opened: std::mem::take(&mut self.opened) }
    }
}

fn with_servers(client: &Client, servers: &str) -> Vec<String> {
    let mut order = client.order.clone();
    order.push(format!("bootstrap.servers={servers}"));
    order
}
