package dev.queenmq.server.http.messages;

import static dev.queenmq.server.http.messages.Codecs.assertBadRequest;
import static dev.queenmq.server.http.messages.Codecs.body;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.model.admin.QueueConfiguration;
import dev.queenmq.server.model.admin.QueueOptions;
import dev.queenmq.server.model.admin.QueueSettings;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigureCodecTest {
  private final ConfigureCodec codec = new ConfigureCodec(Codecs.FACTORY, false);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                        | queue is required
          []                        | queue is required
          {"queue":5}               | queue is required
          {"queue":""}              | queue is required
          {"queue":"\\u0000"}       | queue contains the character NUL
          {"queue":"q","options":5} | options must be an object
          {"queue":"q","options":[5]}                       | options must be an object
          {"queue":"q","merge":5}                           | merge must be true or false
          {"queue":"q","namespace":"\\ud800"}               | namespace contains half a surrogate pair
          {"queue":"q","options":{"leaseTime":-1}}          | leaseTime must be a whole number between 0 and 2592000
          {"queue":"q","options":{"leaseTime":"x"}}         | leaseTime must be a whole number between 0 and 2592000
          {"queue":"q","options":{"ttl":{"a":[1]}}}         | ttl must be a whole number between 0 and 2147483647
          {"queue":"q","options":{"maxSize":2147483648}}    | maxSize must be a whole number between 0 and 2147483647
          {"queue":"q","options":{"retryLimit":1.5}}        | retryLimit must be a whole number between 0 and 2147483647
          {"queue":"q","options":{"dedupWindowSeconds":-2}} | dedupWindowSeconds must be a whole number between -1 and 2147483647
          {"queue":"q","options":{"priority":"high"}}       | priority must be a whole number between -2147483648 and 2147483647
          {"queue":"q","options":{"prioritty":1}}           | unknown option "prioritty", did you mean "priority"?
          {"queue":"q","namespace":5}                       | namespace must be a string
          {"queue":"q","options":{"retentionEnabled":1}}    | retentionEnabled must be true or false
          {"queue":"q","options":{"encryptionEnabled":"true"}} | encryptionEnabled must be true or false
          """)
  void read_saysWhatIsWrong(String json, String text) {
    assertBadRequest(() -> codec.read(body(json)), text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"queue\":\"q\"}",
        "{\"queue\":\"q\",\"options\":{}}",
        "{\"queue\":\"q\",\"options\":[]}",
        "{\"queue\":\"q\",\"options\":null,\"merge\":null}",
        "{\"queue\":\"q\",\"namespace\":null,\"task\":null,\"options\":{\"what\":{}}}",
        "{\"queue\":\"q\",\"options\":{\"ttl\":null}}"
      })
  void read_takesNothingToSet(String json) {
    assertThat(codec.read(body(json)))
        .isEqualTo(
            new QueueConfiguration(
                "q", Optional.empty(), Optional.empty(), QueueOptions.NONE, false));
  }

  @Test
  void read_readsEveryOption() {
    JsonObject options =
        new JsonObject()
            .put("leaseTime", 1)
            .put("retryLimit", 2)
            .put("retryDelay", 3)
            .put("maxSize", 4)
            .put("ttl", 5)
            .put("deadLetterQueue", true)
            .put("dlqAfterMaxRetries", true)
            .put("priority", -6)
            .put("delayedProcessing", 7)
            .put("windowBuffer", 8)
            .put("retentionSeconds", 9)
            .put("completedRetentionSeconds", 10)
            .put("retentionEnabled", true)
            .put("encryptionEnabled", false)
            .put("maxWaitTimeSeconds", 11)
            .put("dedupWindowSeconds", -1);
    JsonObject json =
        new JsonObject()
            .put("queue", "q")
            .put("namespace", "n")
            .put("task", "")
            .put("merge", true)
            .put("options", options);

    QueueConfiguration configuration = codec.read(body(json.encode()));

    assertThat(configuration)
        .isEqualTo(
            new QueueConfiguration(
                "q", Optional.of("n"), Optional.of(""), QueueOptions.of(options), true));
    assertThat(codec.read(body(json.put("options", new JsonObject().put("ttl", "60")).encode())))
        .extracting(numeric -> numeric.options().ttl())
        .isEqualTo(60);
  }

  @Test
  void write_showsWhatIsInForce() {
    UUID id = new UUID(1, 2);
    String json =
        ConfigureCodec.write(
                new QueueSettings(
                    id,
                    "q",
                    "n",
                    "",
                    QueueOptions.of(new JsonObject().put("leaseTime", 60).put("retryLimit", 5)),
                    Instant.EPOCH,
                    id))
            .toString();
    assertThat(json)
        .isEqualTo(
            """
            {"configured":true,"queue":"q","namespace":"n","task":"","queueId":"%1$s",\
            "partitionId":"%1$s","options":{"leaseTime":60,"retryLimit":5,"retryDelay":0,\
            "maxSize":0,"ttl":0,"deadLetterQueue":null,"dlqAfterMaxRetries":true,"priority":0,\
            "delayedProcessing":0,"windowBuffer":0,"retentionSeconds":0,\
            "completedRetentionSeconds":0,"retentionEnabled":false,"encryptionEnabled":false,\
            "maxWaitTimeSeconds":0,"dedupWindowSeconds":3600}}\
            """
                .formatted(id));
  }
}
