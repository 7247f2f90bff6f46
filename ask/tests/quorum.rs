//! `kafka-metadata-quorum --describe --status` of all releases that have it.

use highwater_ask::quorum::{Quorum, read};

#[test]
fn leader_voters_and_lag_are_read_in_both_layouts() {
    let old = "$ bin/kafka-metadata-quorum.sh --bootstrap-server k:9092 describe --status\n\
        ClusterId:              fMCL8kv1SWm87L_Md-I2hg\nLeaderId:               3002\n\
        LeaderEpoch:            2\nHighWatermark:          10\nMaxFollowerLag:         0\n\
        MaxFollowerLagTimeMs:   -1\nCurrentVoters:          [3000,3001,3002]\n\
        CurrentObservers:       [0,1,2]\n";
    let quorum = read(old).expect("a quorum");
    let voters = vec![3000, 3001, 3002];
    assert_eq!(quorum, Quorum { line: 2, leader: Some(3002), voters, lag_ms: None });
    assert_eq!(quorum.may_be_down(), 1);
    let new = "LeaderId: -1\nMaxFollowerLagTimeMs: 12000\nCurrentVoters: [{\"id\": 1, \
        \"directoryId\": \"JEXY6aqzQY-32P5TStzaFg\", \"endpoints\": [\"CONTROLLER://h:9093\"]}, \
        {\"id\": 2, \"directoryId\": \"x\"}]\n";
    let quorum = read(new).expect("a quorum");
    let voters = vec![1, 2];
    assert_eq!(quorum, Quorum { line: 1, leader: None, voters, lag_ms: Some(12_000) });
    assert_eq!(quorum.may_be_down(), 0);
    assert_eq!(read("LeaderId: 1\n"), None);
}
