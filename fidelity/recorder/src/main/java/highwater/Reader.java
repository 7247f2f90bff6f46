package highwater;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/** An application that reads: it polls, processes and commits on one thread. */
final class Reader implements Recorder.Application, Runnable, ConsumerRebalanceListener {
    private static final Duration POLL = Duration.ofMillis(100);

    private final String name;
    private final String topic;
    private final boolean inGroup;
    private final String commit;
    private final long processingMs;
    private final Properties settings;
    private final Queue<String[]> orders = new ConcurrentLinkedQueue<>();
    private KafkaConsumer<String, String> consumer;

    Reader(String[] words, Properties settings) {
        this.name = words[1];
        this.topic = words[2];
        this.inGroup = words[3].equals("group");
        this.commit = words[4];
        this.processingMs = Long.parseLong(words[5]);
        this.settings = settings;
    }

    @Override
    public void obey(String[] words) {
        if (words[0].equals("begin")) {
            new Thread(this, name).start();
        } else {
            orders.add(words);
        }
    }

    @Override
    public void run() {
        try {
            consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer());
            if (inGroup) {
                consumer.subscribe(List.of(topic), this);
            }
            boolean goesOn = true;
            while (goesOn) {
                goesOn = turn();
            }
        } catch (Exception e) {
            Recorder.tell("ended", name, e.getClass().getSimpleName(), e.getMessage());
        }
    }

    /** One turn of the loop that every consumer has. An exception is told, and the loop goes on. */
    private boolean turn() throws InterruptedException {
        try {
            String[] order = orders.poll();
            if (order != null && order[0].equals("close")) {
                consumer.close();
                Recorder.tell("closed", name);
                return false;
            }
            if (order != null) {
                consumer.seek(new TopicPartition(topic, Integer.parseInt(order[2])), Long.parseLong(order[3]));
            }
            if (!inGroup && consumer.assignment().isEmpty() && !takeAll()) {
                Thread.sleep(POLL.toMillis());
                return true;
            }
            work(consumer.poll(POLL));
        } catch (org.apache.kafka.common.KafkaException e) {
            Recorder.tell("error", name, e.getClass().getSimpleName(), e.getMessage());
            Thread.sleep(POLL.toMillis());
        }
        return true;
    }

    /** Without a group it reads every partition, once there are any. */
    private boolean takeAll() {
        List<PartitionInfo> known = consumer.partitionsFor(topic, Duration.ofSeconds(1));
        if (known == null || known.isEmpty()) {
            return false;
        }
        List<TopicPartition> all = new ArrayList<>();
        known.forEach(partition -> all.add(new TopicPartition(topic, partition.partition())));
        consumer.assign(all);
        return true;
    }

    private void work(ConsumerRecords<String, String> records) throws InterruptedException {
        if (records.isEmpty()) {
            return;
        }
        records.forEach(r -> Recorder.tell("read", name, r.partition(), r.offset(), r.value()));
        if (commit.equals("before")) {
            commitSync();
        }
        Thread.sleep(processingMs);
        if (commit.equals("after")) {
            commitSync();
        } else if (commit.equals("async")) {
            consumer.commitAsync((offsets, failure) -> {
                if (failure == null) {
                    Recorder.tell("committed", name);
                } else {
                    Recorder.tell("uncommitted", name, failure.getClass().getSimpleName(), failure.getMessage());
                }
            });
        }
    }

    private void commitSync() {
        try {
            consumer.commitSync();
            Recorder.tell("committed", name);
        } catch (org.apache.kafka.common.KafkaException e) {
            Recorder.tell("uncommitted", name, e.getClass().getSimpleName(), e.getMessage());
        }
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        Recorder.tell("assigned", name, partitions);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        Recorder.tell("revoked", name, partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        Recorder.tell("lost", name, partitions);
    }
}
