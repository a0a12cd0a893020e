package dev.queenmq.server.http.messages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.http.json.Body;
import dev.queenmq.server.http.json.ItemList;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.Lease;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.Polled;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.StoredMessage;
import dev.queenmq.server.testing.Allocation;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What a message of a large push takes of the heap while its body is read and its answer written, a
 * message of a large pop while it is written, and its ack while that is read and answered. It is
 * the same on every machine, so that a change for the worse is seen here before it is measured. Not
 * what is fastest: what a compiler removes later is counted.
 */
class PushCostTest {
  private static final int MESSAGES = 100;
  private static final int PAYLOAD = 256;

  /** Of a message that was read, its payload and its names apart. */
  private static final int READ = 400;

  /** Of an outcome that is written, 230 bytes of text among them. */
  private static final int WRITTEN = 280;

  /** Of a message that is written, 410 bytes of text among them; its payload apart. */
  private static final int DELIVERED = 500;

  /** Of an ack that is read, with its id. */
  private static final int ACK_READ = 450;

  /** Of an outcome that is written, 150 bytes of text among them. */
  private static final int ACK_WRITTEN = 240;

  private final PushCodec codec = new PushCodec(Codecs.FACTORY, new ItemList(MESSAGES), Codecs.IDS);
  private final Body body =
      Codecs.body(
          IntStream.range(0, MESSAGES)
              .mapToObj(
                  i ->
                      "{\"queue\":\"orders\",\"partition\":\"p%d\",\"payload\":\"%s\"}"
                          .formatted(i / 10, "x".repeat(PAYLOAD - 2)))
              .collect(Collectors.joining(",", "{\"items\":[", "]}")));

  PushCostTest() {}

  @Test
  void read_takesFewObjects() {
    assertThat(codec.read(body)).hasSize(MESSAGES);
    assertThat(Allocation.isWithin(MESSAGES * (READ + PAYLOAD), () -> codec.read(body))).isTrue();
  }

  @Test
  void write_takesLittleMoreThanTheAnswer() {
    List<Message> messages = codec.read(body);
    UUID partition = UUID.randomUUID();
    List<PushOutcome> outcomes =
        messages.stream()
            .<PushOutcome>map(
                message -> new PushOutcome.Queued(message.id(), partition, 1, Instant.EPOCH))
            .toList();
    Buffer answer = PushCodec.write(messages, outcomes);

    assertThat(answer.toJsonArray()).hasSize(MESSAGES);
    assertThat(Allocation.isWithin(MESSAGES * WRITTEN, () -> PushCodec.write(messages, outcomes)))
        .isTrue();
  }

  @Test
  void pop_takesLittleMoreThanTheAnswer() {
    Polled polled = polled();
    Buffer answer = PopCodec.messages(polled);

    assertThat(answer.toJsonObject().getJsonArray("messages")).hasSize(MESSAGES);
    assertThat(
            Allocation.isWithin(MESSAGES * (DELIVERED + PAYLOAD), () -> PopCodec.messages(polled)))
        .isTrue();
  }

  @Test
  void ack_takesFewObjects() {
    AckCodec acks = new AckCodec(Codecs.FACTORY, new ItemList(MESSAGES));
    UUID partition = UUID.randomUUID();
    UUID lease = UUID.randomUUID();
    Body sent =
        Codecs.body(
            IntStream.range(0, MESSAGES)
                .mapToObj(
                    i ->
                        "{\"transactionId\":\"%s\",\"partitionId\":\"%s\",\"leaseId\":\"%s\",\"status\":\"completed\"}"
                            .formatted(new UUID(1, i), partition, lease))
                .collect(Collectors.joining(",", "{\"acknowledgments\":[", "]}")));
    List<AckEntry> entries = acks.readBatch(sent);
    List<AckOutcome> outcomes =
        Collections.nCopies(MESSAGES, new AckOutcome.Applied("orders", "p1", true, false));

    assertThat(entries).hasSize(MESSAGES);
    assertThat(Allocation.isWithin(MESSAGES * ACK_READ, () -> acks.readBatch(sent))).isTrue();
    assertThat(AckCodec.write(entries, outcomes).toJsonArray()).hasSize(MESSAGES);
    assertThat(Allocation.isWithin(MESSAGES * ACK_WRITTEN, () -> AckCodec.write(entries, outcomes)))
        .isTrue();
  }

  private Polled polled() {
    List<StoredMessage> messages =
        codec.read(body).stream()
            .map(
                message ->
                    new StoredMessage(
                        1,
                        message.id(),
                        message.transactionId(),
                        message.payload(),
                        null,
                        null,
                        false,
                        Instant.EPOCH))
            .toList();
    PartitionBatch batch =
        new PartitionBatch(
            "orders",
            "p1",
            UUID.randomUUID(),
            Optional.of(new Lease(UUID.randomUUID(), Instant.EPOCH)),
            0,
            messages);
    return new Polled("workers", List.of(batch), Polled.EmptyReason.NONE);
  }
}
