package dev.queenmq.server.encryption;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.Await;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Encryption that is switched on while others push. */
class EncryptionSwitchIT extends EncryptionFixture {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Test
  void switchedQueue_takesNoPlainMessage_whateverBrokersBelieve() {
    server.push(item(vault, "p0", "first"));
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger pushed = new AtomicInteger();
    List<CompletableFuture<List<String>>> producers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      RunningServer broker = i % 2 == 0 ? server : other;
      String name = "producer" + i;
      producers.add(CompletableFuture.supplyAsync(() -> produce(broker, name, over, pushed)));
    }
    try {
      for (RunningServer broker : List.of(server, other, server)) {
        encrypt(broker, vault);
        // The background may seal those. It does not touch a plain message from after the switch.
        Set<UUID> before = plainIds();
        progress(pushed);
        assertThat(before).as("plain messages after the switch").containsAll(plainIds());
        broker.configure(vault, new JsonObject());
        progress(pushed);
        assertThat(plainIds()).as("plain again").anyMatch(id -> !before.contains(id));
      }
    } finally {
      over.set(true);
    }
    Set<String> sent = new HashSet<>(Set.of("first"));
    producers.forEach(producer -> sent.addAll(producer.join()));
    Set<String> received = new HashSet<>();
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              Answer answer = other.pop(vault, "batch=1000&partitions=100&autoAck=true");
              answer.messages().stream()
                  .map(message -> message.getJsonObject("data").getString("of"))
                  .forEach(received::add);
              return received.size() >= sent.size();
            });
    assertThat(received).isEqualTo(sent);
  }

  private Set<UUID> plainIds() {
    return database
        .query(
            "select message_id from queen.messages where queue = '%s' and not encrypted"
                .formatted(vault))
        .stream()
        .map(row -> row.getUUID(0))
        .collect(Collectors.toSet());
  }

  /** To partitions that exist, and to new ones. */
  private List<String> produce(
      RunningServer broker, String name, AtomicBoolean over, AtomicInteger pushed) {
    List<String> sent = new ArrayList<>();
    for (int i = 0; !over.get(); i++) {
      String id = name + "-" + i;
      String fresh = i % 10 == 0 ? "new-" + id : "p1";
      Answer answer = broker.push(item(vault, "p0", id), item(vault, fresh, id + "b"));
      assertThat(statuses(answer)).containsExactly("queued", "queued");
      sent.add(id);
      sent.add(id + "b");
      pushed.incrementAndGet();
    }
    return sent;
  }

  private static void progress(AtomicInteger pushed) {
    int now = pushed.get();
    await().atMost(LIMIT).until(() -> pushed.get() >= now + 8);
  }

  @Test
  void brokerThatMissedTheSwitch_storesNothingPlain() {
    other.push(item(vault, "p0", "t1"));
    encrypt(server, vault);

    // It last heard that the queue is not encrypted.
    Answer pushed = other.push(item(vault, "p0", "t2"), item(vault, "fresh", "t3"));

    assertThat(statuses(pushed)).containsExactly("queued", "queued");
    assertThat(
            database.query(
                "select transaction_id from queen.messages where encrypted and queue = '%s'"
                    .formatted(vault)))
        .extracting(row -> row.getString(0))
        .contains("t2", "t3");
  }

  @Test
  void encryption_waitsForPushesUnderWay() {
    server.push(item(vault, "held", "t1"));
    // What a push does: it locks its partition, or makes one.
    for (String held :
        List.of(
            "select 1 from queen.partitions where name = 'held' for no key update",
            "insert into queen.partitions (shard, id, queue_id, name) select 0, gen_random_uuid(),"
                + " id, 'fresh' from queen.queues where name = '"
                + vault
                + "'")) {
      server.configure(vault, new JsonObject());
      PgConnection push = database.connect();
      Await.await(push.query("begin").execute());
      Await.await(push.query(held).execute());

      CompletableFuture<Answer> encrypted =
          server.postLater(
              "/api/v1/configure",
              "{\"queue\":\"" + vault + "\",\"options\":{\"encryptionEnabled\":true}}");
      await()
          .atMost(LIMIT)
          .until(
              () ->
                  database
                      .value(
                          "select encryption_enabled from queen.queues where name = '"
                              + vault
                              + "'")
                      .equals(true));
      // Some looks later it still waits for the push, and holds no lock that a push waits for.
      server.push(item(vault, "beside", "t2"));
      assertThat(encrypted).isNotDone();
      Await.await(push.query("commit").execute());
      Await.await(push.close());
      assertThat(encrypted.join().status()).isEqualTo(200);
    }
  }

  @Test
  void encryption_touchesNoPartition_howeverManyThereAre() {
    server.configure(vault, new JsonObject());
    database.query(
        "insert into queen.partitions (shard, id, queue_id, name)"
            + " select 0, gen_random_uuid(), q.id, 'many-' || i"
            + " from queen.queues q, generate_series(1, 5000) i where q.name = '"
            + vault
            + "'");

    encrypt(server, vault);

    // A row lock would have left a transaction id in the row.
    assertThat(
            database.value(
                "select count(*) from queen.partitions where name like 'many-%' and xmax::text <>"
                    + " '0'"))
        .isEqualTo(0L);
  }
}
