package dev.queenmq.server.http.messages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.encryption.PayloadForm;
import dev.queenmq.server.http.json.Timestamps;
import dev.queenmq.server.model.Lease;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.PollTarget;
import dev.queenmq.server.model.Polled;
import dev.queenmq.server.model.Polled.EmptyReason;
import dev.queenmq.server.model.StoredMessage;
import dev.queenmq.server.model.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PopCodecTest {
  private static final UUID ID = new UUID(1, 2);
  private static final UUID LEASE = new UUID(3, 4);

  @Test
  void messages_followTheContract_withThePayloadAsItWas() {
    String payload = "{\"b\" : 1.50,\n\"a\":\"\\u0000\\ud800\u4e16\ud83d\ude00\"}";
    StoredMessage message =
        new StoredMessage(
            1,
            ID,
            "t",
            payload,
            null,
            "me",
            PayloadForm.PLAIN,
            Instant.parse("2026-01-02T03:04:05.0001Z"),
            3);
    PartitionBatch batch =
        new PartitionBatch(
            "q", "p", ID, Optional.of(new Lease(LEASE, Instant.EPOCH)), 0, List.of(message));

    assertThat(PopCodec.messages(new Polled("g", List.of(batch), EmptyReason.NONE)).toString())
        .isEqualTo(
            """
            {"success":true,"queue":"q","partition":"p","partitionId":"%1$s","leaseId":"%2$s",\
            "consumerGroup":"g","partitionsClaimed":1,"messages":[{"id":"%1$s",\
            "transactionId":"t","traceId":null,"data":%3$s,"producerSub":"me",\
            "createdAt":"2026-01-02T03:04:05.000100Z","queue":"q","partitionId":"%1$s",\
            "partition":"p","leaseId":"%2$s","consumerGroup":"g",\
            "attempt":3,"leaseExpiresAt":"1970-01-01T00:00:00.000Z"}]}\
            """
                .formatted(ID, LEASE, payload));
  }

  @Test
  void messages_haveAnEmptyLease_withoutOne() {
    StoredMessage message =
        new StoredMessage(
            1, ID, "t", "1", null, null, false, Instant.parse("2026-01-02T03:04:05Z"));
    PartitionBatch batch = new PartitionBatch("q", "p", ID, Optional.empty(), 0, List.of(message));
    assertThat(PopCodec.messages(new Polled("g", List.of(batch), EmptyReason.NONE)).toString())
        .contains("\"leaseId\":\"\"", "\"attempt\":1,\"leaseExpiresAt\":null");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          NO_AVAILABLE_PARTITION | {"success":false,"error":"no_available_partition","messages":[]}
          PARTITION_NOT_FOUND    | {"success":false,"error":"partition_not_found","messages":[]}
          LEASE_HELD             | {"success":false,"error":"lease_held","messages":[]}
          EMPTY                  | {"success":true,"queue":"q","partition":"p","partitionId":null,"leaseId":"","consumerGroup":"g","messages":[],"partitionsClaimed":1}
          WINDOW_BUFFER          | {"success":true,"queue":"q","partition":"p","partitionId":null,"leaseId":"","consumerGroup":"g","messages":[],"windowBufferActive":true}
          TIMED_OUT              | {"success":true,"queue":"q","partition":"p","partitionId":null,"leaseId":null,"consumerGroup":"g","messages":[]}
          """)
  void nothing_saysWhy(EmptyReason why, String json) {
    PollRequest request =
        new PollRequest(
            new PollTarget.Partition("q", "p"),
            "g",
            1,
            1,
            false,
            new Subscription.All(),
            Duration.ZERO);
    assertThat(PopCodec.nothing(request, why).toString()).isEqualTo(json);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-15T00:25:01.528834567Z,2026-11-15T00:25:01.528834Z,2026-11-15T00:25:01.528Z",
    "0999-01-01T00:00:00Z,0999-01-01T00:00:00.000000Z,0999-01-01T00:00:00.000Z",
    "1969-12-31T23:59:59.999Z,1969-12-31T23:59:59.999000Z,1969-12-31T23:59:59.999Z"
  })
  void timestamps_haveAFixedNumberOfDigits(Instant moment, String micros, String millis) {
    assertThat(Timestamps.micros(moment)).isEqualTo(micros);
    assertThat(Timestamps.millis(moment)).isEqualTo(millis);
  }
}
