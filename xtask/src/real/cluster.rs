//! The servers of a real cluster: brokers, and a controller or ZooKeeper, each a process of its own.

use super::artifacts::Artifacts;
use super::plan::Plan;
use super::process::{Process, java};
use crate::error::{Context, Error};
use crate::{repo, shell};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The controller's id, or ZooKeeper's.
pub const COORDINATOR: u16 = 100;
/// A server that takes longer to open its port does not come up.
const START_WAIT: Duration = Duration::from_secs(60);
/// Any id will do, as long as all servers have the same.
const CLUSTER_ID: &str = "MkU3OEVBNTcwNTJENDM2Qg";

/// Settings that a small machine needs, or that the model has no word for.
const BROKER: &str = "\
num.network.threads=1
num.io.threads=2
background.threads=2
log.cleaner.enable=false
log.cleaner.dedupe.buffer.size=4194304
auto.create.topics.enable=false
group.initial.rebalance.delay.ms=0
";

/// A cluster that runs.
pub struct Cluster<'a> {
    artifacts: &'a Artifacts,
    folder: PathBuf,
    base: u16,
    settings: String,
    racks: BTreeMap<u16, Option<String>>,
    processes: BTreeMap<u16, Process>,
}

impl<'a> Cluster<'a> {
    /// Starts all servers on empty disks, and waits until their ports are open.
    pub fn start(artifacts: &'a Artifacts, plan: &Plan) -> Result<Cluster<'a>, Error> {
        let folder = artifacts.folder.join("run");
        if folder.exists() {
            fs::remove_dir_all(&folder).context(folder.display())?;
        }
        fs::create_dir_all(&folder).context(folder.display())?;
        let mut cluster = Cluster {
            artifacts,
            folder,
            base: 20_000 + (std::process::id() % 1000) as u16 * 10,
            settings: plan.settings.join("\n"),
            racks: plan.brokers.iter().cloned().collect(),
            processes: BTreeMap::new(),
        };
        cluster.run(COORDINATOR)?;
        cluster.await_port(COORDINATOR)?;
        cluster.run(plan.controller)?;
        if artifacts.has_zookeeper() {
            cluster.await_port(plan.controller)?;
        }
        let all: Vec<u16> = cluster.racks.keys().copied().collect();
        for id in all.iter().filter(|id| **id != plan.controller) {
            cluster.run(*id)?;
        }
        for id in all {
            cluster.await_port(id)?;
        }
        Ok(cluster)
    }

    fn port(&self, id: u16) -> u16 {
        self.base + if id == COORDINATOR { 0 } else { id }
    }

    fn address(&self, id: u16) -> String {
        format!("127.0.0.1:{}", self.port(id))
    }

    /// `bootstrap.servers`: every broker.
    pub fn servers(&self) -> String {
        self.racks.keys().map(|id| self.address(*id)).collect::<Vec<_>>().join(",")
    }

    /// The process of a server.
    pub fn process(&mut self, id: u16) -> Result<&mut Process, Error> {
        let process = self.processes.get_mut(&id);
        process.ok_or_else(|| Error::new(format!("server {id} was never started")))
    }

    /// Starts a server, again or for the first time.
    pub fn run(&mut self, id: u16) -> Result<(), Error> {
        let log = self.folder.join(format!("{id}.log"));
        let process = if self.artifacts.has_zookeeper() && id == COORDINATOR {
            let data = self.folder.join("zookeeper");
            let (port, data) = (self.port(id).to_string(), data.to_string_lossy());
            let main = "org.apache.zookeeper.server.ZooKeeperServerMain";
            Process::server(self.artifacts, main, &[&port, &data, "1000"], &log)?
        } else {
            let properties = self.folder.join(format!("{id}.properties"));
            repo::write(&properties, self.properties(id))?;
            self.format(id)?;
            let file = properties.to_string_lossy();
            Process::server(self.artifacts, "kafka.Kafka", &[&file], &log)?
        };
        self.processes.insert(id, process);
        Ok(())
    }

    /// Whether a server's port is open.
    pub fn is_open(&self, id: u16) -> bool {
        let address = SocketAddr::from(([127, 0, 0, 1], self.port(id)));
        TcpStream::connect_timeout(&address, Duration::from_millis(200)).is_ok()
    }

    fn await_port(&mut self, id: u16) -> Result<(), Error> {
        let began = Instant::now();
        while !self.is_open(id) {
            let has_ended = self.processes.get_mut(&id).is_none_or(Process::has_ended);
            if has_ended || began.elapsed() > START_WAIT {
                let log = self.folder.join(format!("{id}.log"));
                let said = fs::read_to_string(log).unwrap_or_default();
                let lines: Vec<&str> = said.lines().collect();
                let tail = lines[lines.len().saturating_sub(12)..].join("\n");
                return Err(Error::new(format!("server {id} did not start:\n{tail}")));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    fn properties(&self, id: u16) -> String {
        let data = self.folder.join(format!("data-{id}"));
        let controller = self.address(COORDINATOR);
        let me = self.address(id);
        let mut text = format!("{BROKER}log.dirs={}\n", data.display());
        if self.artifacts.has_zookeeper() {
            let listeners = format!("broker.id={id}\nlisteners=PLAINTEXT://{me}\n");
            writeln!(text, "{listeners}zookeeper.connect={controller}").expect("room");
        } else {
            let is_coordinator = id == COORDINATOR;
            let (role, name) =
                if is_coordinator { ("controller", "CONTROLLER") } else { ("broker", "PLAINTEXT") };
            write!(
                text,
                "process.roles={role}\nnode.id={id}\nlisteners={name}://{me}\n\
                 controller.quorum.voters={COORDINATOR}@{controller}\n\
                 controller.listener.names=CONTROLLER\n\
                 listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT\n"
            )
            .expect("room");
        }
        if let Some(Some(rack)) = self.racks.get(&id) {
            writeln!(text, "broker.rack={rack}").expect("room");
        }
        text + &self.settings + "\n"
    }

    /// KRaft wants its disks formatted. What that makes is kept for the next cluster.
    fn format(&self, id: u16) -> Result<(), Error> {
        let data = self.folder.join(format!("data-{id}"));
        if self.artifacts.has_zookeeper() || data.exists() {
            return Ok(());
        }
        let kept = self.artifacts.folder.join("formatted").join(id.to_string());
        if !kept.exists() {
            let file = self.folder.join(format!("{id}.properties"));
            let file = file.to_string_lossy();
            let arguments = ["format", "-t", CLUSTER_ID, "-c", &file];
            shell::catch(java(self.artifacts, &[], "kafka.tools.StorageTool", &arguments))?;
            fs::create_dir_all(&kept).context(kept.display())?;
            return copy_files(&data, &kept);
        }
        fs::create_dir_all(&data).context(data.display())?;
        copy_files(&kept, &data)
    }
}

fn copy_files(from: &Path, to: &Path) -> Result<(), Error> {
    let entries = fs::read_dir(from).context(from.display())?;
    for entry in entries {
        let file = entry.context(from.display())?.path();
        if let Some(name) = file.file_name().filter(|_| file.is_file()) {
            fs::copy(&file, to.join(name)).context(file.display())?;
        }
    }
    Ok(())
}
