package dev.queenmq.server.http.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.core.JsonFactory;
import dev.queenmq.server.admin.ShownMessage;
import dev.queenmq.server.http.admin.SplicedJson;
import dev.queenmq.server.http.messages.Codecs;
import dev.queenmq.server.http.messages.PopCodec;
import dev.queenmq.server.http.messages.PushCodec;
import dev.queenmq.server.http.server.HttpLimits;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageIds;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.Polled;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.StoredMessage;
import dev.queenmq.server.testing.JsonReference;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * What a producer sends as a payload is what a consumer gets: the same text, and JSON again. So are
 * names and ids.
 */
@ResourceLock("jazzer")
class PayloadsFuzzTest {
  private static final JsonFactory FACTORY = JsonInput.factory(HttpLimits.defaults().maxDepth());
  private static final PushCodec CODEC =
      new PushCodec(FACTORY, new ItemList(10), new MessageIds(InstantSource.system()));

  /** Answers have some more levels around a payload than requests. */
  private static final JsonReference REFERENCE =
      new JsonReference(HttpLimits.defaults().maxDepth() + 10);

  private static final UUID ID = new UUID(1, 2);

  @Timeout(120)
  @DictionaryFile(resourcePath = "/dev/queenmq/server/http/messages/bodies.dict")
  @FuzzTest
  void payloads(byte[] bytes) {
    String payload = new String(bytes, StandardCharsets.UTF_8);
    checkTexts(payload);
    String body = "{\"items\":[{\"queue\":\"q\",\"payload\":" + payload + ",\"partition\":\"p\"}]}";
    List<Message> messages;
    try {
      messages = CODEC.read(Codecs.body(body));
    } catch (HttpProblem problem) {
      return;
    }
    Optional<String> value = REFERENCE.value(payload);
    if (value.isPresent()) {
      assertThat(messages).extracting(Message::payload).containsExactly(payload.strip());
    }
    for (Message message : messages) {
      check(message.payload());
    }
  }

  /** Names and ids in answers, which are put together by hand, come out as they went in. */
  private static void checkTexts(String text) {
    StoredMessage stored = new StoredMessage(1, ID, text, "{}", ID, text, false, Instant.EPOCH);
    PartitionBatch batch = new PartitionBatch(text, text, ID, Optional.empty(), 0, List.of(stored));
    JsonObject popped =
        PopCodec.messages(new Polled(text, List.of(batch, batch), Polled.EmptyReason.NONE))
            .toJsonObject();
    assertTexts(text, popped, "queue", "partition", "consumerGroup");
    JsonObject last = popped.getJsonArray("messages").getJsonObject(1);
    assertTexts(text, last, "transactionId", "producerSub", "queue", "partition", "consumerGroup");
    Message sent = new Message(text, text, ID, text, "{}", null, null, false);
    List<PushOutcome> outcomes =
        List.of(new PushOutcome.Queued(ID, ID, 1, Instant.EPOCH), new PushOutcome.QueueFull());
    JsonArray pushed = PushCodec.write(List.of(sent, sent), outcomes).toJsonArray();
    assertTexts(text, pushed.getJsonObject(0), "transaction_id", "queueName");
    assertTexts(text, pushed.getJsonObject(1), "transactionId", "queue", "partition");
  }

  private static void assertTexts(String text, JsonObject object, String... fields) {
    for (String field : fields) {
      assertThat(object.getString(field)).as(field).isEqualTo(text);
    }
  }

  private static void check(String payload) {
    assertThat(REFERENCE.value(payload)).isPresent();
    StoredMessage stored = new StoredMessage(1, ID, "t", payload, null, null, false, Instant.EPOCH);
    PartitionBatch batch = new PartitionBatch("q", "p", ID, Optional.empty(), 0, List.of(stored));
    String popped =
        PopCodec.messages(new Polled("g", List.of(batch), Polled.EmptyReason.NONE)).toString();
    assertHolds(popped, "\"data\":", payload);
    ShownMessage shown = new ShownMessage(new JsonObject().put("id", 1), payload);
    assertHolds(SplicedJson.array(List.of(shown, shown), "data").toString(), "\"data\":", payload);
  }

  /** The answer is JSON, and has exactly this value in its first field of the name. */
  private static void assertHolds(String answer, String field, String payload) {
    Optional<String> whole = REFERENCE.value(answer);
    assertThat(whole).isPresent();
    int start = answer.indexOf(field) + field.length();
    assertThat(answer.startsWith(payload, start)).isTrue();

    assertThat(whole.get()).contains(REFERENCE.value(payload).orElseThrow());
  }
}
