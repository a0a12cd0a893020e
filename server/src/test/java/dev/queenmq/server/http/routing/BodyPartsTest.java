package dev.queenmq.server.http.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.http.json.Body;
import dev.queenmq.server.testing.Allocation;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BodyPartsTest {
  @Test
  void join_isWhatWasAdded_inPiecesOfAnySize() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      byte[] sent = new byte[random.nextInt(round % 10 == 0 ? 3 << 20 : 70_000)];
      random.nextBytes(sent);
      BodyParts parts = new BodyParts(random.nextBoolean() ? sent.length : -1);
      int most = 1 + random.nextInt(100_000);
      for (int at = 0; at < sent.length; ) {
        int size = Math.min(sent.length - at, 1 + random.nextInt(most));
        parts.add(Buffer.buffer(Arrays.copyOfRange(sent, at, at + size)));
        at += size;
      }
      assertThat(parts.length()).isEqualTo(sent.length);
      Body body = parts.join();
      assertThat(Arrays.equals(body.bytes(), 0, body.length(), sent, 0, sent.length))
          .as("seed %d, round %d", seed, round)
          .isTrue();
    }
  }

  @Test
  void memory_followsWhatHasArrived_notWhatWasAnnounced() {
    Buffer one = Buffer.buffer(new byte[1]);
    assertThat(
            Allocation.isWithin(
                256 << 10,
                () -> {
                  BodyParts parts = new BodyParts(1 << 30);
                  for (int i = 0; i < 1000; i++) {
                    parts.add(one);
                  }
                }))
        .isTrue();
  }

  @Test
  void memory_isNone_forABodyInOnePart() {
    Buffer chunk = Buffer.buffer(new byte[1 << 20]);
    assertThat(
            Allocation.isWithin(
                1 << 10,
                () -> {
                  BodyParts parts = new BodyParts(chunk.length());
                  parts.add(chunk);
                  assertThat(parts.join().length()).isEqualTo(1 << 20);
                }))
        .isTrue();
  }

  @Test
  void memory_isThatOfTheBodyTwice() {
    int size = 16 << 20;
    Buffer chunk = Buffer.buffer(new byte[16 << 10]);
    assertThat(
            Allocation.isWithin(
                2L * size + (2 << 20),
                () -> {
                  BodyParts parts = new BodyParts(-1);
                  for (int i = 0; i < size / chunk.length(); i++) {
                    parts.add(chunk);
                  }
                  assertThat(parts.join().length()).isEqualTo(size);
                }))
        .isTrue();
  }
}
