package highwater;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Kafka's own clients, moved by lines on standard input. What they do and hear goes to standard
 * output, a line each: milliseconds since 1970, a word, the client, and more, with tabs between.
 * The words are those of fidelity/recorder/README.md.
 */
public final class Recorder {
    private static final PrintStream OUT = System.out;

    private final Map<String, Application> applications = new LinkedHashMap<>();
    private Operator operator;

    public static void main(String[] arguments) throws Exception {
        System.setErr(new PrintStream(new LogLines(), true, StandardCharsets.UTF_8));
        var recorder = new Recorder();
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        tell("ready", "-");
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            recorder.obey(line.split("\t", -1));
        }
        // Who gave the orders is gone: nothing is closed, since nothing is left to be heard.
        Runtime.getRuntime().halt(0);
    }

    /** Writes one line, with the time. */
    static void tell(String word, String client, Object... more) {
        var line = new StringBuilder();
        line.append(System.currentTimeMillis()).append('\t').append(word).append('\t').append(client);
        for (Object part : more) {
            line.append('\t').append(String.valueOf(part).replaceAll("[\\t\\r\\n]+", " "));
        }
        synchronized (OUT) {
            OUT.println(line);
            OUT.flush();
        }
    }

    private void obey(String[] words) {
        try {
            switch (words[0]) {
                case "admin":
                    operator = new Operator(words[1]);
                    return;
                case "warm":
                    warm(words[1], words[2]);
                    return;
                case "producer":
                    applications.put(words[1], new Writer(words[1], words[2], settings(words, 3)));
                    return;
                case "consumer":
                    applications.put(words[1], new Reader(words, settings(words, 6)));
                    return;
                case "begin":
                case "send":
                case "seek":
                case "close":
                    applications.get(words[1]).obey(words);
                    return;
                default:
                    operator.obey(words);
            }
        } catch (Exception e) {
            tell("refused", words.length > 1 ? words[1] : "-", words[0], e);
        }
    }

    /** Classes are loaded and sockets opened once before time counts. */
    private static void warm(String servers, String topic) {
        var settings = new Properties();
        settings.put("bootstrap.servers", servers);
        settings.put("client.id", "warm");
        settings.put("group.id", "warm");
        settings.put("max.block.ms", "2000");
        settings.put("default.api.timeout.ms", "2000");
        try (var producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
             var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            producer.partitionsFor(topic);
            consumer.partitionsFor(topic);
            consumer.assign(List.of(new TopicPartition(topic, 0)));
            consumer.seek(new TopicPartition(topic, 0), 0);
            consumer.poll(Duration.ofMillis(600));
        } catch (KafkaException e) {
            tell("refused", "-", "warm", e);
        }
        tell("warmed", "-");
    }

    private static Properties settings(String[] words, int from) {
        var settings = new Properties();
        for (int i = from; i < words.length; i++) {
            int at = words[i].indexOf('=');
            settings.put(words[i].substring(0, at), words[i].substring(at + 1));
        }
        return settings;
    }

    /** A producer or consumer with the thread of its own that uses it. */
    interface Application {
        void obey(String[] words);
    }

    /** The clients' log, cut into lines: those of other loggers never get here. */
    private static final class LogLines extends OutputStream {
        private final List<Byte> line = new ArrayList<>();

        @Override
        public synchronized void write(int b) {
            if (b != '\n') {
                line.add((byte) b);
                return;
            }
            byte[] bytes = new byte[line.size()];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = line.get(i);
            }
            line.clear();
            tell("log", "-", new String(bytes, StandardCharsets.UTF_8));
        }
    }
}
