package dev.queenmq.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.store.Message;
import dev.queenmq.server.store.PushOutcome;
import dev.queenmq.server.testing.Allocation;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What a message of a large push takes of the heap while its body is read and its answer written.
 * It is the same on every machine, so that a change for the worse is seen here before it is
 * measured. Not what is fastest: what a compiler removes later is counted.
 */
class PushCostTest {
  private static final int MESSAGES = 100;
  private static final int PAYLOAD = 256;

  /** Of a message that was read, its payload and its names apart. */
  private static final int READ = 620;

  /** Of an outcome that is written, 230 bytes of text among them. */
  private static final int WRITTEN = 450;

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
}
