/** Something to ask for who has no cluster at hand. */

export const EXAMPLES = {
  config: `# server.properties
process.roles=broker,controller
node.id=1
log.dirs=/var/lib/kafka
default.replication.factor=3
min.insync.replicas=1
unclean.leader.election.enable=true
replica.lag.max.messages=4000

# producer.properties
bootstrap.servers=kafka-1:9092
acks=1
retires=3

# consumer.properties
bootstrap.servers=kafka-1:9092
group.id=billing
auto.offset.reset=latest
`,
  describe: `$ kafka-topics.sh --bootstrap-server kafka-1:9092 --describe --topic orders
Topic: orders	TopicId: hT2pVnQ4S1mE0bXcK7w9Zg	PartitionCount: 3	ReplicationFactor: 3	Configs: min.insync.replicas=2
	Topic: orders	Partition: 0	Leader: 1	Replicas: 1,2,3	Isr: 1,2
	Topic: orders	Partition: 1	Leader: 2	Replicas: 2,3,1	Isr: 1,2
	Topic: orders	Partition: 2	Leader: none	Replicas: 3,1,2	Isr: 3
`,
  log: `[2025-03-01 10:00:09,000] INFO [QuorumController id=3000] Fencing broker 1 at epoch 12 because its session has timed out. (org.apache.kafka.controller.ReplicationControlManager)
[2025-03-01 10:00:09,031] INFO [Broker id=2] Leader orders-0 with topic id Some(hT2pVnQ4S1mE0bXcK7w9Zg) starts at leader epoch 5 from offset 140 with partition epoch 9, high watermark 120, ISR [2], adding replicas [] and removing replicas [] (previous leader Some(1) and previous leader epoch 4). (state.change.logger)
[2025-03-01 10:00:09,204] WARN [Producer clientId=billing-1] Got error produce response with correlation id 812 on topic-partition orders-0, retrying (2147483646 attempts left). Error: NOT_ENOUGH_REPLICAS (org.apache.kafka.clients.producer.internals.Sender)
[2025-03-01 10:00:31,870] INFO [Partition orders-0 broker=2] Shrinking ISR from 2,3 to 2. Leader: (highWatermark: 140, endOffset: 152). Out of sync replicas: (brokerId: 3, endOffset: 140). (kafka.cluster.Partition)
`,
};
