package dev.queenmq.server.encryption;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that change, are missing or unknown. */
class EncryptionKeysIT extends EncryptionFixture {
  /** Lets withhold_v1 wait for a lock before it does anything. */
  private static final String HOLD_WITHHOLDING =
      """
      alter function queen.withhold_v1 rename to withhold_at_once;
      create function queen.withhold_v1(
        p_shard smallint, p_partition_ids uuid[], p_groups text[], p_lease_ids uuid[],
        p_offset_cursors integer[], p_offsets bigint[]) returns timestamptz
      language plpgsql as $$
      begin
        perform pg_advisory_xact_lock_shared(77);
        return queen.withhold_at_once(
          p_shard, p_partition_ids, p_groups, p_lease_ids, p_offset_cursors, p_offsets);
      end
      $$
      """;

  private static final String FAIL_WITHHOLDING =
      """
      alter function queen.withhold_v1 rename to withhold_at_once;
      create function queen.withhold_v1(
        p_shard smallint, p_partition_ids uuid[], p_groups text[], p_lease_ids uuid[],
        p_offset_cursors integer[], p_offsets bigint[]) returns timestamptz
      language plpgsql as $$
      begin
        raise exception 'not now';
      end
      $$
      """;

  private static final String WITHHOLD_AT_ONCE =
      """
      drop function queen.withhold_v1;
      alter function queen.withhold_at_once rename to withhold_v1
      """;

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
  void operators_seeTheKeys_andThatNothingIsSealedAgainWhileTheyDiffer() {
    JsonObject status =
        Awaitility.await()
            .until(
                () -> server.get("/api/v1/system/encryption").object(),
                now -> now.getJsonArray("keys").size() == 2);

    assertThat(status.getString("keyId")).isEqualTo(EncryptionKey.ofHex(KEY).id());
    assertThat(status.getJsonObject("resealing").getString("state")).isEqualTo("waiting");
    assertThat(status.getJsonObject("resealing").getBoolean("complete")).isFalse();
    assertThat(keyless.get("/api/v1/system/encryption").object().getValue("keyId")).isNull();
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
    // Others do not trust what is plain in such a queue.
    assertThat(server.pop(vault, "batch=10").status()).isEqualTo(204);
    try (RunningServer lenient =
        with(Map.of("QUEEN_ENCRYPTION_KEY", KEY, "QUEEN_ENCRYPTION_ALLOW_PLAINTEXT", "true"))) {
      assertThat(data(lenient.pop(vault, "batch=10"))).hasSize(2);
    }
  }

  @Test
  void messagesOfAnUnknownKey_waitForIt_andDoNotDelayOthers() {
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

    // A broker that has the key delivers all of it, at once.
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

  @ParameterizedTest
  @ValueSource(strings = {"autoAck=true&consumerGroup=g", "consumerGroup=g", "autoAck=true"})
  void messagesBehindOneThatCannotBeOpened_areNotDeliveredBeforeIt(String mode) {
    encrypt(server, vault);
    server.push(secret(vault, "p", "m1"), secret(vault, "p", "m2"), secret(vault, "p", "m3"));
    String path = "/api/v1/pop/queue/" + vault + "/partition/p?" + mode;
    PgConnection holder = database.connect();
    database.query(HOLD_WITHHOLDING);
    try {
      await(holder.query("select pg_advisory_lock(77)").execute());
      // The broker without the key has taken the first message, and not given it back yet.
      CompletableFuture<Answer> unopened = keyless.getLater(path + "&batch=1");
      Awaitility.await()
          .until(
              () ->
                  database.value(
                      "select count(*) from pg_locks where locktype = 'advisory' and not granted"
                          + " and objid = 77"),
              Long.valueOf(1)::equals);

      assertThat(server.get(path + "&batch=10").status()).isEqualTo(204);

      await(holder.query("select pg_advisory_unlock(77)").execute());
      assertThat(unopened.join().status()).isEqualTo(204);
    } finally {
      await(holder.close());
      database.query(WITHHOLD_AT_ONCE);
    }
    assertThat(
            Awaitility.await()
                .until(
                    () -> server.get(path + "&batch=10").transactionIds(), some -> !some.isEmpty()))
        .containsExactly("m1", "m2", "m3");
  }

  @Test
  void messagesThatCannotBeGivenBack_areNotMarkedAsDoneWithThoseBeforeThem() {
    encrypt(server, vault);
    server.push(secret(vault, "p", "o1"));
    rotated.push(secret(vault, "p", "n2"));
    String path = "/api/v1/pop/queue/" + vault + "/partition/p?autoAck=true&batch=10";
    database.query(FAIL_WITHHOLDING);
    try {
      assertThat(server.get(path).status()).isEqualTo(204);
    } finally {
      database.query(WITHHOLD_AT_ONCE);
    }

    database.query("update queen.cursors set lease_expires_at = clock_timestamp()");
    assertThat(rotated.get(path).transactionIds()).containsExactly("o1");
    assertThat(rotated.get(path).transactionIds()).containsExactly("n2");
  }

  private static List<Row> cursors(String queue) {
    return database.query(
        "select c.committed, c.lease_id, c.acked::text as acked from queen.cursors c"
            + " join queen.partitions p on p.id = c.partition_id"
            + " join queen.queues q on q.id = p.queue_id"
            + " where p.name = 'p' and q.name = '%s'".formatted(queue));
  }
}
