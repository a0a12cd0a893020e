package dev.queenmq.server.encryption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.http.streams.StreamClient;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Payloads at rest, over HTTP and by a look into the tables. */
class EncryptionIT extends EncryptionFixture {
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
                    .containsExactly("v", "keyId", "iv", "authTag", "encrypted"));
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
    assertThat(
            cipher(KEY)
                .open(
                    letter.getString("payload"),
                    new MessageIdentity(vault, "p", letter.getUUID("message_id"))))
        .contains(SECRET);
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
    String lookalike =
        cipher(KEY).seal("{\"secret\":1}", new MessageIdentity("q", "p", new UUID(1, 2)));
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
    List<JsonObject> popped = new ArrayList<>();
    // A pop may know one partition before the other.
    Awaitility.await()
        .until(
            () -> {
              popped.addAll(data(server.pop(vault, "batch=10&partitions=5")));
              return popped.size();
            },
            size -> size == 6);
    assertThat(popped).allSatisfy(data -> assertThat(data.getString("secret")).startsWith(SECRET));
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

  /** What an attacker who can write to the tables may put in the place of the second message. */
  enum Forgery {
    FROM_ANOTHER_QUEUE("payloads = f.payloads, message_ids = f.message_ids", "from-open"),
    FROM_ANOTHER_PARTITION("payloads = f.payloads, message_ids = f.message_ids", "from-beside"),
    WITH_ANOTHER_ID("message_ids = array[gen_random_uuid()]", "t2"),
    FROM_ANOTHER_MESSAGE("payloads = f.payloads", "t1"),
    PLAIN("payloads = array['{\"secret\":\"%s\"}'], encrypted = false".formatted(SECRET), "t2"),
    CHANGED(
        "payloads = array[replace(s.payloads[1], '\"encrypted\":\"', '\"encrypted\":\"AAAA')]",
        "t2"),
    NOT_SEALED_AT_ALL("payloads = array['{\"secret\":\"%s\"}']".formatted(SECRET), "t2");

    private final String change;
    private final String source; // the transaction id of the message f

    Forgery(String change, String source) {
      this.change = change;
      this.source = source;
    }
  }

  @ParameterizedTest
  @EnumSource
  void forgedMessages_areNotDelivered_andNothingOvertakesThem(Forgery forgery) {
    encrypt(server, vault);
    encrypt(server, open);
    server.push(secret(open, "p", "from-open"));
    server.push(secret(vault, "beside", "from-beside"));
    for (String id : List.of("t1", "t2", "t3")) {
      server.push(secret(vault, "p", id));
    }
    database.query(
        """
        update queen.segments s set %s
        from queen.segments f
        where s.partition_id = (%s) and s.transaction_ids = array['t2']
          and f.partition_id = any (array(
            select p.id from queen.partitions p join queen.queues q on q.id = p.queue_id
            where q.name in ('%s', '%s')))
          and f.transaction_ids = array['%s']\
        """
            .formatted(forgery.change, partition(), vault, open, forgery.source));

    String path = "/api/v1/pop/queue/" + vault + "/partition/p?batch=10";
    // One at a time: nothing beside the forged message asks for a lease.
    String auto = path.replace("batch=10", "batch=1") + "&autoAck=true&consumerGroup=auto";
    assertThat(server.get(auto).transactionIds()).containsExactly("t1");
    assertThat(server.get(auto).status()).isEqualTo(204);
    // It does not count as done either.
    assertThat(
            database.value(
                "select committed from queen.cursors where consumer_group = 'auto'"
                    + " and partition_id = (%s)".formatted(partition())))
        .isEqualTo(1L);
    Answer leased = server.get(path);
    assertThat(leased.transactionIds()).containsExactly("t1");
    server.ackAll(leased.messages(), "completed");
    assertThat(server.get(path).status()).isEqualTo(204);
    // Operators are not shown it either.
    Answer shown = server.get("/api/v1/messages/" + database.value(partition()).toString() + "/t2");
    assertThat(shown.object().getValue("payload")).isNull();

    // Taken out of the way by hand, it holds up nothing.
    assertThat(
            server
                .post(
                    "/api/v1/messages/" + database.value(partition()).toString() + "/t2/dlq", "{}")
                .status())
        .isEqualTo(200);
    assertThat(
            Awaitility.await()
                .until(() -> server.get(path).transactionIds(), some -> !some.isEmpty()))
        .containsExactly("t3");
    // As a dead letter it is not trusted more, and given back neither.
    assertThat(letterData(server)).isNull();
  }

  private String partition() {
    return "select p.id from queen.partitions p join queen.queues q on q.id = p.queue_id"
        + " where q.name = '%s' and p.name = 'p'".formatted(vault);
  }

  @Test
  void copiedSegments_areNotOpenedInTheirNewQueue() {
    encrypt(server, vault);
    encrypt(server, open);
    server.push(secret(vault, "p", "t1"));
    server.push(secret(open, "p", "own"));
    // A whole row, as an administrator would copy it, with all that belongs to it.
    database.query(
        """
        with target as (
          update queen.partitions p set next_offset = p.next_offset + 1 from queen.queues q
          where q.id = p.queue_id and q.name = '%s' and p.name = 'p' returning p.id)
        insert into queen.segments
        select s.shard, t.id, 1, s.message_count, s.created_at, s.encrypted, s.message_ids,
               s.transaction_ids, s.payloads, s.trace_ids, s.producer_subs
        from queen.segments s, target t where s.partition_id = (%s)\
        """
            .formatted(open, partition()));

    assertThat(server.pop(open, "batch=10").transactionIds()).containsExactly("own");
    assertThat(server.pop(vault, "batch=10").transactionIds()).containsExactly("t1");
  }

  @Test
  void payloadsOfTheOlderForm_areReadIfTheyAreOld_andOnlyThen() {
    encrypt(server, vault);
    server.push(secret(vault, "p", "t1"));
    String old =
        OldForm.seal(EncryptionKey.ofHex(KEY), new JsonObject().put("secret", SECRET).encode());
    database.query(
        "update queen.segments s set payloads = array['%s'] where s.partition_id = (%s)"
            .formatted(old, partition()));

    // A queue that was made with this version has none.
    String path = "/api/v1/pop/queue/" + vault + "/partition/p?batch=10";
    assertThat(server.get(path).status()).isEqualTo(204);
    // One that was there before may have some that are older than the upgrade.
    database.query(
        "update queen.queues set bound_since = clock_timestamp() where name = '%s'"
            .formatted(vault));
    server.push(secret(vault, "p", "t2"));
    Answer both = Awaitility.await().until(() -> server.get(path), some -> some.status() == 200);
    assertThat(data(both).get(0).getString("secret")).isEqualTo(SECRET);
    assertThat(both.transactionIds()).containsExactly("t1", "t2");

    // Given back it is a new message, and so it is bound by then.
    server.ackAll(both.messages(), "dlq");
    assertThat(
            server
                .post("/api/v1/dlq/redrive", new JsonObject().put("queue", vault))
                .object()
                .getInteger("redriven"))
        .isEqualTo(2);
    assertThat(data(server.get(path))).hasSize(2);
    assertThat(stored(vault)).filteredOn(text -> text.startsWith("{\"v\":\"2\"")).hasSize(3);
  }

  @Test
  void deadLettersFromBeforeTheSwitch_areSealedWhenTheyAreGivenBack() {
    server.push(secret(vault, "p", "t1"), secret(vault, "p", "t2"), secret(vault, "p", "t3"));
    Answer before = server.pop(vault, "batch=2");
    server.ackAll(before.messages(), "dlq");
    server.configure(vault, new JsonObject().put("encryptionEnabled", true));
    JsonObject all = new JsonObject().put("queue", vault);

    Answer refused = keyless.post("/api/v1/dlq/redrive", all);
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.error()).isEqualTo(NO_KEY);
    assertThat(letters(vault)).hasSize(2);

    Answer given = other.post("/api/v1/dlq/redrive", all);
    assertThat(given.object().getInteger("redriven")).as(given.body()).isEqualTo(2);

    // Also what was plain before is delivered, and before what came later.
    Answer after = server.pop(vault, "batch=10&autoAck=true");
    assertThat(after.transactionIds()).containsExactly("t3", "t1", "t2");
    assertThat(plain(vault)).isEqualTo(3);
    assertThat(stored(vault)).filteredOn(text -> text.contains(SECRET)).hasSize(3);
  }

  @Test
  void sealedDeadLetters_keepTheirId_andAnyBrokerGivesThemBack() {
    encrypt(server, vault);
    server.push(secret(vault, "p", "t1"));
    JsonObject popped = server.pop(vault, "batch=1").messages().get(0);
    server.ack(popped, "dlq");

    Answer given =
        keyless.post("/api/v1/messages/" + popped.getString("partitionId") + "/t1/retry", "{}");

    assertThat(given.object().getString("messageId")).isEqualTo(popped.getString("id"));
    assertThat(data(server.pop(vault, "batch=1")).get(0).getString("secret"))
        .isEqualTo(SECRET + " t1");
  }

  private static PayloadCipher cipher(String key) {
    return new PayloadCipher(Optional.of(EncryptionKey.ofHex(key)), Optional.empty());
  }
}
