package dev.queenmq.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.encryption.EncryptionKey;
import dev.queenmq.server.encryption.PayloadCipher;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

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

  private static PayloadCipher cipher(String key) {
    return new PayloadCipher(Optional.of(EncryptionKey.ofHex(key)), Optional.empty());
  }
}
