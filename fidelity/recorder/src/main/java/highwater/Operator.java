package highwater;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;

/** The operator's commands, one after the other, each told with its outcome. */
final class Operator {
    private static final String NAME = "operator";

    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Admin admin;

    Operator(String servers) {
        admin = Admin.create(Map.of(
            "bootstrap.servers", servers, "client.id", NAME, "request.timeout.ms", "10000", "default.api.timeout.ms", "20000"));
    }

    void obey(String[] words) {
        thread.execute(() -> {
            try {
                Recorder.tell("done", NAME, String.join(" ", words), act(words));
            } catch (Exception e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                Recorder.tell("undone", NAME, String.join(" ", words), cause.getClass().getSimpleName());
            }
        });
    }

    private String act(String[] words) throws Exception {
        switch (words[0]) {
            case "await": {
                awaitBrokers(Integer.parseInt(words[1]));
                return "";
            }
            case "create": {
                admin.createTopics(List.of(topic(words))).all().get();
                return "";
            }
            case "await-topic": {
                awaitTopic(words[1], Integer.parseInt(words[2]));
                return "";
            }
            case "elect": {
                var type = words[1].equals("unclean") ? ElectionType.UNCLEAN : ElectionType.PREFERRED;
                admin.electLeaders(type, Set.of(partition(words[2], words[3]))).all().get();
                return "";
            }
            case "reassign": {
                Optional<NewPartitionReassignment> target = words[3].equals("cancel")
                    ? Optional.empty()
                    : Optional.of(new NewPartitionReassignment(ids(words[3])));
                admin.alterPartitionReassignments(Map.of(partition(words[1], words[2]), target)).all().get();
                return "";
            }
            case "set": {
                set(words);
                return "";
            }
            default:
                throw new IllegalArgumentException("no such order");
        }
    }

    private void awaitBrokers(int count) throws Exception {
        while (admin.describeCluster().nodes().get().size() < count) {
            Thread.sleep(50);
        }
    }

    /** Until every partition has a leader and all its replicas in the ISR. */
    private void awaitTopic(String name, int partitions) throws Exception {
        while (true) {
            try {
                var list = described(name).partitions();
                boolean isWhole = list.stream().allMatch(
                    p -> p.leader() != null && p.isr().size() == p.replicas().size());
                if (list.size() == partitions && isWhole) {
                    return;
                }
            } catch (java.util.concurrent.ExecutionException e) {
                // Not every broker has heard of it.
            }
            Thread.sleep(50);
        }
    }

    /** What 2.8 calls `all` is `allTopicNames` from 3.1 on, and only that in 4.x. */
    private TopicDescription described(String topic) throws Exception {
        var asked = admin.describeTopics(List.of(topic));
        Method answer;
        try {
            answer = asked.getClass().getMethod("allTopicNames");
        } catch (NoSuchMethodException e) {
            answer = asked.getClass().getMethod("all");
        }
        var all = (Map<?, ?>) ((KafkaFuture<?>) answer.invoke(asked)).get();
        return (TopicDescription) all.get(topic);
    }

    /** create NAME 1,2;2,3 name=value … */
    private static NewTopic topic(String[] words) {
        Map<Integer, List<Integer>> placement = new HashMap<>();
        for (String replicas : words[2].split(";")) {
            placement.put(placement.size(), ids(replicas));
        }
        Map<String, String> configs = new HashMap<>();
        for (int i = 3; i < words.length; i++) {
            int at = words[i].indexOf('=');
            configs.put(words[i].substring(0, at), words[i].substring(at + 1));
        }
        return new NewTopic(words[1], placement).configs(configs);
    }

    /** set topic NAME name=value …, or set broker ID …; an empty value takes it back. */
    private void set(String[] words) throws Exception {
        var type = words[1].equals("topic") ? ConfigResource.Type.TOPIC : ConfigResource.Type.BROKER;
        Collection<AlterConfigOp> changes = new ArrayList<>();
        for (int i = 3; i < words.length; i++) {
            int at = words[i].indexOf('=');
            String value = words[i].substring(at + 1);
            var kind = value.isEmpty() ? AlterConfigOp.OpType.DELETE : AlterConfigOp.OpType.SET;
            changes.add(new AlterConfigOp(new ConfigEntry(words[i].substring(0, at), value), kind));
        }
        admin.incrementalAlterConfigs(Map.of(new ConfigResource(type, words[2]), changes)).all().get();
    }

    private static TopicPartition partition(String topic, String number) {
        return new TopicPartition(topic, Integer.parseInt(number));
    }

    private static List<Integer> ids(String text) {
        List<Integer> ids = new ArrayList<>();
        for (String id : text.split(",")) {
            ids.add(Integer.valueOf(id));
        }
        return ids;
    }
}
