package highwater;

import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/** An application that writes: one thread, so that a send that blocks holds up those behind it. */
final class Writer implements Recorder.Application {
    private final String name;
    private final String topic;
    private final Properties settings;
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private KafkaProducer<String, String> producer;
    /** How many records it was told to send; read and written on its thread only. */
    private int count;

    Writer(String name, String topic, Properties settings) {
        this.name = name;
        this.topic = topic;
        this.settings = settings;
    }

    @Override
    public void obey(String[] words) {
        thread.execute(() -> {
            try {
                act(words);
            } catch (Exception e) {
                Recorder.tell("error", name, e.getClass().getSimpleName(), e.getMessage());
            }
        });
    }

    private void act(String[] words) {
        switch (words[0]) {
            case "begin":
                producer = new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer());
                return;
            case "close":
                producer.close();
                Recorder.tell("closed", name);
                return;
            default:
                Integer partition = words[2].isEmpty() ? null : Integer.valueOf(words[2]);
                String key = words[3].isEmpty() ? null : words[3];
                for (int i = 4; i < words.length; i++) {
                    send(new ProducerRecord<>(topic, partition, key, words[i]));
                }
        }
    }

    private void send(ProducerRecord<String, String> record) {
        int number = ++count;
        try {
            producer.send(record, (written, failure) -> {
                if (failure == null) {
                    Recorder.tell("acked", name, number, written.partition(), written.offset());
                } else {
                    Recorder.tell("failed", name, number, failure.getClass().getSimpleName(), failure.getMessage());
                }
            });
        } catch (Exception e) {
            Recorder.tell("failed", name, number, e.getClass().getSimpleName(), e.getMessage());
        }
        Recorder.tell("returned", name, number);
    }
}
