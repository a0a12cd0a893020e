package dev.queenmq.server;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.encryption.EncryptionKey;
import dev.queenmq.server.encryption.PayloadCipher;
import dev.queenmq.server.testing.Await;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Payloads at rest, over HTTP and by a look into the tables. */
@ExtendWith(PostgresExtension.class)
class EncryptionIT {
  private static final String KEY = "0123456789abcdef".repeat(4);
  private static final String NEXT_KEY = "fedcba9876543210".repeat(4);
  private static final String NO_KEY = "encryption key not configured";
  private static final String SECRET = "the-bee-dances-at-noon";
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static TestDatabase database;
  private static RunningServer server;
  private static RunningServer other;
  private static RunningServer rotated;
  private static RunningServer keyless;

  /** Of each test's own: they share the database. */
  private final String vault = "vault-" + UUID.randomUUID();

  private final String open = "open-" + UUID.randomUUID();

  @BeforeAll
  static void start(TestDatabase fresh) {
    database = fresh;
    server = with(Map.of("QUEEN_ENCRYPTION_KEY", KEY));
    other = with(Map.of("QUEEN_ENCRYPTION_KEY", KEY));
    rotated = with(Map.of("QUEEN_ENCRYPTION_KEY", NEXT_KEY, "QUEEN_ENCRYPTION_KEY_PREVIOUS", KEY));
    keyless = with(Map.of());
  }

  @AfterAll
  static void stop() throws IOException {
    for (RunningServer each : List.of(server, other, rotated, keyless)) {
      each.close();
    }
  }

  @Test
  void payloads_areUnreadableInTheStore_andReadableInPops() {
    encrypt(server, vault);

    assertThat(server.push(secret(vault, "p", "t1"), secret(vault, "p", "t2")).status())
        .isEqualTo(201);
    assertThat(server.push(secret(open, "p", "t3")).status()).isEqualTo(201);

    assertThat(plain(vault)).isZero();
    assertThat(plain(open)).isOne();
    assertThat(stored(vault))
        .hasSize(2)
        .allSatisfy(
            text ->
                assertThat(new JsonObject(text).fieldNames())
                    .containsExactly("encrypted", "iv", "authTag", "keyId"));
    assertThat(stored(vault)).noneMatch(text -> text.contains(SECRET));
    assertThat(data(server.pop(vault, "batch=10")))
        .extracting(data -> data.getString("secret"))
        .containsExactly(SECRET + " t1", SECRET + " t2");
    assertThat(data(server.get("/api/v1/pop?namespace=" + vault + "&batch=10&consumerGroup=g")))
        .hasSize(2);
    assertThat(server.pop(vault, "autoAck=true&consumerGroup=h").body()).contains(SECRET + " t1");
  }

  @Test
  void deadLetters_staySealed() {
    encrypt(server, vault);
    server.push(secret(vault, "p", "t1"));

    server.ack(server.pop(vault, "batch=1").messages().get(0), "dlq");

    Row letter = letters(vault).get(0);
    assertThat(letter.getBoolean("encrypted")).isTrue();
    assertThat(letter.getString("payload")).doesNotContain(SECRET);
    assertThat(cipher(KEY).open(letter.getString("payload"))).contains(SECRET);
  }

  @Test
  void operators_seeWhatWasPushed_andOthersSeeNoCiphertext() {
    encrypt(server, vault);
    server.push(secret(vault, "p", "t1"));
    JsonObject popped = server.pop(vault, "batch=1").messages().get(0);
    server.ack(popped, "dlq");
    String path = "/api/v1/messages/" + popped.getString("partitionId") + "/t1";

    assertThat(server.get(path).object().getJsonObject("payload").getString("secret"))
        .isEqualTo(SECRET + " t1");
    assertThat(letterData(server)).isEqualTo(new JsonObject().put("secret", SECRET + " t1"));
    assertThat(letterData(keyless)).isNull();
    assertThat(keyless.get(path).object().getValue("payload")).isNull();

    // Given back, it is sealed as it was.
    assertThat(server.post(path + "/retry", "").status()).isEqualTo(200);
    assertThat(plain(vault)).isZero();
    assertThat(data(server.pop(vault, "batch=1")).get(0).getString("secret"))
        .isEqualTo(SECRET + " t1");
  }

  private @Nullable Object letterData(RunningServer at) {
    return at.get("/api/v1/dlq?queue=" + vault)
        .object()
        .getJsonArray("messages")
        .getJsonObject(0)
        .getValue("data");
  }

  @Test
  void cyclesOfStreams_sealWhatTheyPush_orFail() {
    encrypt(server, vault);
    StreamClient stream = StreamClient.of(server, open);
    String partition =
        server.push(secret(open, "p", "t")).array().getJsonObject(0).getString("partition_id");
    JsonObject cycle =
        stream.cycle(partition).put("push_items", new JsonArray().add(secret(vault, "p", "sunk")));

    Answer refused = stream.at(keyless).send(cycle);
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.error()).isEqualTo(NO_KEY);
    assertThat(stored(vault)).isEmpty();

    // The other has not heard of the queue.
    assertThat(stream.at(other).send(cycle).object().getBoolean("success")).isTrue();
    assertThat(plain(vault)).isZero();
    assertThat(data(server.pop(vault, "")).get(0).getString("secret")).isEqualTo(SECRET + " sunk");
  }

  @Test
  void payloadsThatLookSealed_areNotTouched() {
    String lookalike = cipher(KEY).seal("{\"secret\":1}");
    encrypt(server, vault);
    for (String queue : List.of(vault, open)) {
      server.post(
          "/api/v1/push",
          "{\"items\":[{\"queue\":\"%s\",\"payload\":%s}]}".formatted(queue, lookalike));

      assertThat(server.pop(queue, "").body()).contains("\"data\":" + lookalike + ",");
    }
  }

  @Test
  void transactions_sealFlatAndGroupedPushes() {
    encrypt(server, vault);
    // The other has not heard of the queue.
    for (RunningServer each : List.of(server, other)) {
      JsonObject flat = secret(vault, "flat", null).put("type", "push");
      JsonObject grouped =
          new JsonObject()
              .put("type", "push")
              .put(
                  "items",
                  new JsonArray()
                      .add(secret(vault, "p", null))
                      .add(secret(open, "p", null))
                      .add(secret(vault, "p", null)));
      Answer answer = transaction(each, flat, grouped);
      assertThat(answer.object().getBoolean("success")).as(answer.body()).isTrue();
    }

    assertThat(plain(vault)).isZero();
    assertThat(stored(vault)).hasSize(6);
    assertThat(plain(open)).isEqualTo(2);
    assertThat(data(server.pop(vault, "batch=10&partitions=5")))
        .hasSize(6)
        .allSatisfy(data -> assertThat(data.getString("secret")).startsWith(SECRET));
  }

  @Test
  void duplicates_areFound_whateverTheCiphertext() {
    encrypt(server, vault);

    Answer once = server.push(secret(vault, "p", "t"), secret(vault, "p", "t"));
    Answer again = server.push(secret(vault, "p", "t"));

    assertThat(statuses(once)).containsExactly("queued", "duplicate");
    assertThat(statuses(again)).containsExactly("duplicate");
    assertThat(again.array().getJsonObject(0).getString("message_id"))
        .isEqualTo(once.array().getJsonObject(0).getString("message_id"));
    assertThat(transaction(server, secret(vault, "p", "t").put("type", "push")).error())
        .contains("duplicate key");
  }

  @Test
  void rotation_keepsOldMessagesReadable() {
    encrypt(server, vault);
    server.push(secret(vault, "p", "old"));

    rotated.push(secret(vault, "p", "new"));

    assertThat(data(rotated.pop(vault, "batch=10")))
        .extracting(data -> data.getString("secret"))
        .containsExactly(SECRET + " old", SECRET + " new");
    assertThat(stored(vault))
        .extracting(text -> new JsonObject(text).getString("keyId"))
        .containsExactly(EncryptionKey.ofHex(KEY).id(), EncryptionKey.ofHex(NEXT_KEY).id());
  }

  @Test
  void brokerWithoutKey_refusesWhatItCannotSeal_andNothingElse() {
    encrypt(server, vault);
    Answer refused = keyless.push(secret(vault, "p", "t1"), secret(vault, "q", "t2"));
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.error()).isEqualTo(NO_KEY);

    Answer mixed =
        keyless.push(secret(vault, "p", "t1"), secret(open, "p", "t1"), secret(vault, "p", "t1"));
    assertThat(mixed.status()).isEqualTo(201);
    assertThat(statuses(mixed)).containsExactly("failed", "queued", "failed");
    assertThat(mixed.array().getJsonObject(0).getString("error")).isEqualTo(NO_KEY);

    Answer transaction =
        transaction(
            keyless,
            secret(open, "p", "t2").put("type", "push"),
            secret(vault, "p", "t2").put("type", "push"));
    assertThat(transaction.status()).isEqualTo(503);
    assertThat(transaction.object().getBoolean("success")).isFalse();
    assertThat(transaction.error()).isEqualTo("Operation 1: " + NO_KEY);

    Answer configured = keyless.configure("more", new JsonObject().put("encryptionEnabled", true));
    assertThat(configured.status()).isEqualTo(409);
    assertThat(configured.error()).isEqualTo(NO_KEY);
    // What others may have encrypted can be changed otherwise.
    assertThat(
            keyless
                .post(
                    "/api/v1/configure",
                    "{\"queue\":\"" + vault + "\",\"merge\":true,\"options\":{\"leaseTime\":7}}")
                .status())
        .isEqualTo(200);
    assertThat(stored(vault)).isEmpty();
    assertThat(stored(open)).hasSize(1);
    assertThat(database.value("select count(*) from queen.queues where name = 'more'"))
        .isEqualTo(0L);
  }

  @Test
  void brokerWithoutKey_storesPlain_onlyWhenTheOperatorSaysSo() throws IOException {
    try (RunningServer lenient = with(Map.of("QUEEN_ENCRYPTION_ALLOW_PLAINTEXT", "true"))) {
      encrypt(lenient, vault);
      assertThat(statuses(lenient.push(secret(vault, "p", "t1")))).containsExactly("queued");
    }
    assertThat(plain(vault)).isOne();
    server.push(secret(vault, "p", "t2"));
    assertThat(plain(vault)).isOne();
    assertThat(data(server.pop(vault, "batch=10"))).hasSize(2);
  }

  @Test
  void messagesOfAnUnknownKey_waitForIt_andHoldUpNobody() {
    encrypt(server, vault, new JsonObject().put("retryLimit", 0).put("leaseTime", 1));
    rotated.push(secret(vault, "next", "o1"), secret(vault, "next", "o2"));
    server.push(secret(vault, "own", "n1"), secret(vault, "next", "o3"));

    for (int i = 0; i < 5; i++) {
      for (String mode : List.of("", "&autoAck=true", "&consumerGroup=g&autoAck=true")) {
        assertThat(
                server
                    .get("/api/v1/pop/queue/" + vault + "/partition/next?batch=2" + mode)
                    .status())
            .isEqualTo(204);
      }
    }
    assertThat(server.pop(vault, "wait=true&timeout=30000&batch=10&consumerGroup=h").body())
        .contains(SECRET + " n1")
        .doesNotContain("authTag", "o1");
    assertThat(letters(vault)).isEmpty();

    // Who has the key gets all of it, at once.
    for (String group : List.of("", "&consumerGroup=g")) {
      assertThat(
              rotated
                  .get("/api/v1/pop/queue/" + vault + "/partition/next?batch=10" + group)
                  .transactionIds())
          .containsExactly("o1", "o2", "o3");
    }
  }

  @Test
  void messagesBeforeOneThatCannotBeOpened_areDelivered() {
    encrypt(server, vault);
    server.push(secret(vault, "p", "n1"), secret(vault, "p", "n2"));
    rotated.push(secret(vault, "p", "o1"), secret(vault, "p", "o2"));
    server.push(secret(vault, "p", "n3"));

    assertThat(server.pop(vault, "batch=10&autoAck=true&consumerGroup=auto").transactionIds())
        .containsExactly("n1", "n2");
    Answer leased = server.pop(vault, "batch=10");
    assertThat(leased.transactionIds()).containsExactly("n1", "n2");
    // The lease covers what was delivered and no more: these answers end it.
    assertThat(server.ackAll(leased.messages(), "completed").status()).isEqualTo(200);
    assertThat(cursors(vault))
        .hasSize(2)
        .allSatisfy(
            cursor -> {
              assertThat(cursor.getLong("committed")).isEqualTo(2);
              assertThat(cursor.getUUID("lease_id")).isNull();
              assertThat(cursor.getString("acked")).isEqualTo("{}");
            });
    assertThat(rotated.pop(vault, "batch=10&consumerGroup=auto").transactionIds())
        .containsExactly("o1", "o2", "n3");
  }

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
        long before = plain(vault);
        progress(pushed);
        assertThat(plain(vault)).as("plain messages after the switch").isEqualTo(before);
        broker.configure(vault, new JsonObject());
        progress(pushed);
        assertThat(plain(vault)).isGreaterThan(before);
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
  void encryption_waitsForPushesUnderWay() {
    server.push(item(vault, "held", "t1"));
    // What a push holds: its partition; or, of a partition that it makes, the queue.
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
                          "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
                              + " and datname = current_database()")
                      .equals(1L));
      assertThat(encrypted).isNotDone();
      assertThat(
              database.value(
                  "select encryption_enabled from queen.queues where name = '" + vault + "'"))
          .isEqualTo(false);
      Await.await(push.query("commit").execute());
      Await.await(push.close());
      assertThat(encrypted.join().status()).isEqualTo(200);
    }
  }

  private static RunningServer with(Map<String, String> environment) {
    return RunningServer.on(database.endpoint(), environment);
  }

  private static PayloadCipher cipher(String key) {
    return new PayloadCipher(Optional.of(EncryptionKey.ofHex(key)), Optional.empty());
  }

  private static void encrypt(RunningServer broker, String queue) {
    encrypt(broker, queue, new JsonObject());
  }

  private static void encrypt(RunningServer broker, String queue, JsonObject options) {
    Answer answer =
        broker.post(
            "/api/v1/configure",
            new JsonObject()
                .put("queue", queue)
                .put("namespace", queue)
                .put("options", options.put("encryptionEnabled", true)));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.object().getJsonObject("options").getBoolean("encryptionEnabled")).isTrue();
  }

  private static JsonObject secret(String queue, String partition, @Nullable String transactionId) {
    JsonObject item =
        new JsonObject()
            .put("queue", queue)
            .put("partition", partition)
            .put("payload", new JsonObject().put("secret", SECRET + " " + transactionId));
    return transactionId == null ? item : item.put("transactionId", transactionId);
  }

  private static Answer transaction(RunningServer broker, JsonObject... operations) {
    return broker.post(
        "/api/v1/transaction",
        new JsonObject().put("operations", new JsonArray(List.of(operations))));
  }

  private static List<String> statuses(Answer answer) {
    return answer.array().stream().map(each -> ((JsonObject) each).getString("status")).toList();
  }

  private static List<JsonObject> data(Answer answer) {
    return answer.messages().stream().map(message -> message.getJsonObject("data")).toList();
  }

  private static List<String> stored(String queue) {
    return database
        .query(
            "select payload from queen.messages where queue = '%s' order by message_offset"
                .formatted(queue))
        .stream()
        .map(row -> row.getString(0))
        .toList();
  }

  /** Messages of a queue that anybody could read. */
  private static long plain(String queue) {
    return (long)
        database.value(
            "select count(*) from queen.messages where queue = '%s' and not encrypted"
                .formatted(queue));
  }

  private static List<Row> letters(String queue) {
    return database.query(
        "select d.* from queen.dead_letters d join queen.queues q on q.id = d.queue_id"
            + " where q.name = '%s'".formatted(queue));
  }

  private static List<Row> cursors(String queue) {
    return database.query(
        "select c.committed, c.lease_id, c.acked::text as acked from queen.cursors c"
            + " join queen.partitions p on p.id = c.partition_id"
            + " join queen.queues q on q.id = p.queue_id"
            + " where p.name = 'p' and q.name = '%s'".formatted(queue));
  }
}
