//! Small scenarios that make what log lines tell of.

use alloc::format;
use alloc::string::String;
use highwater_core::settings::Release;

macro_rules! scenes {
    ($($scene:ident $name:literal,)*) => {
        /// A scenario.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum Scene { $($scene,)* }

        impl Scene {
            pub fn named(name: &str) -> Option<Scene> {
                match name {
                    $($name => Some(Scene::$scene),)*
                    _ => None,
                }
            }
        }
    };
}

scenes! {
    AllDown "allDown",
    AnswerLost "answerLost",
    CleanStop "cleanStop",
    Elr "elr",
    Expires "expires",
    Hangs "hangs",
    KraftController "kraftController",
    KraftRestart "kraftRestart",
    Lagging "lagging",
    LeaderDies "leaderDies",
    MinIsr "minIsr",
    Move "move",
    OutOfRange "outOfRange",
    PowerLoss "powerLoss",
    Preferred "preferred",
    ReaderDies "readerDies",
    Truncates "truncates",
    Unclean "unclean",
    ZkController "zkController",
    ZkLeaderDies "zkLeaderDies",
    ZkSession "zkSession",
}

/// The script of a scene; `None` where the release has no such thing.
pub(super) fn script(scene: Scene, release: Release) -> Option<String> {
    let kraft = release >= Release::V3_9;
    let topic = match scene {
        Scene::Unclean => " min.insync.replicas=1 unclean.leader.election.enable=true",
        Scene::MinIsr | Scene::Elr => " min.insync.replicas=2 unclean.leader.election.enable=false",
        _ => " min.insync.replicas=1 unclean.leader.election.enable=false",
    };
    // What is to be retried has to be, also where no release does so by itself.
    let retries = if release < Release::V2_8 { " retries=50" } else { "" };
    let (acks, every, producer) = match scene {
        Scene::Truncates => ("1", "", ""),
        Scene::AnswerLost if release == Release::V0_8_2 => return None,
        Scene::AnswerLost if release == Release::V0_11 => {
            ("all", "", " enable.idempotence=true max.in.flight.requests.per.connection=1")
        }
        Scene::AnswerLost => ("all", "", " enable.idempotence=true"),
        Scene::Expires if release < Release::V2_8 => return None,
        Scene::Expires => {
            ("all", " every=500ms until=30s", " delivery.timeout.ms=8000 request.timeout.ms=4000")
        }
        _ => ("all", " every=250ms until=60s", ""),
    };
    let lines = match scene {
        Scene::AllDown => "at 5s crash 3\nat 5s crash 4\nat 90s crash 2\nuntil 150s\n",
        Scene::AnswerLost => {
            "drop produce-response 2>p1 orders/0 #1\nat 3s send p1 \"a\"\nuntil 60s\n"
        }
        Scene::CleanStop => "at 10s stop 2\nat 30s start 2\nuntil 90s\n",
        Scene::Elr if release < Release::V4_1 => return None,
        Scene::Elr => {
            "at 5s crash 3\nat 20s stop 4\nat 40s crash 2\nat 70s start 3\nat 80s start 4\nuntil 120s\n"
        }
        Scene::Expires => "at 5s crash 3\nat 5s crash 4\nat 10s crash 2\nuntil 90s\n",
        Scene::Hangs if release == Release::V0_8_2 => return None,
        Scene::Hangs => "at 10s pause 2\nat 100s resume 2\nuntil 150s\n",
        Scene::KraftController if !kraft => return None,
        Scene::KraftController => "at 10s crash controller\nat 20s start controller\nuntil 60s\n",
        Scene::Lagging => "at 5s cut 2-4\nat 80s heal all\nuntil 120s\n",
        Scene::ZkLeaderDies if kraft => return None,
        Scene::KraftRestart if !kraft => return None,
        // A request is under way when it dies.
        Scene::LeaderDies | Scene::ZkLeaderDies | Scene::KraftRestart => {
            "at 2s slow p1-2 20ms\nat 10015ms crash 2\nat 60s start 2\nuntil 120s\n"
        }
        Scene::MinIsr => "at 5s crash 3\nat 5s crash 4\nuntil 120s\n",
        Scene::Move => "at 10s reassign orders/0 2,3,1\nuntil 90s\n",
        Scene::OutOfRange => "at 20s seek c1 orders/0 100000\nuntil 60s\n",
        Scene::PowerLoss => "at 10s power-off 2 lose=all\nat 60s start 2\nuntil 120s\n",
        Scene::Preferred => {
            "at 10s crash 2\nat 60s start 2\nat 100s elect preferred orders/0\nuntil 120s\n"
        }
        Scene::ReaderDies => "at 10s crash c1\nat 12s start c1\nuntil 200s\n",
        Scene::Truncates => {
            "at 3s send p1 \"a\"\nat 5s cut 2>3\nat 5s cut 2>4\nat 5100ms send p1 \"b\"\n\
             at 5500ms crash 2\nat 6s heal all\nat 40s start 2\nuntil 60s\n"
        }
        Scene::Unclean => {
            "at 5s crash 3\nat 5s crash 4\nat 90s crash 2\nat 120s start 4\nuntil 460s\n"
        }
        Scene::ZkController if kraft => return None,
        Scene::ZkController => "at 10s crash 1\nat 60s start 1\nuntil 90s\n",
        Scene::ZkSession if kraft => return None,
        Scene::ZkSession => "at 10s pause 2\nat 60s resume 2\nuntil 120s\n",
    };
    let reader = "consumer c1 topic=orders group=billing\n";
    Some(format!(
        "highwater 1\nkafka {release}\nbrokers 4\ntopic orders assignment=2,3,4{topic}\n\
         producer p1 topic=orders{every} acks={acks}{retries}{producer}\n{reader}{lines}"
    ))
}
