package dev.queenmq.server.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MessageIdsTest {
  private static final int MANY = 10_000;

  private final MessageIds ids = new MessageIds(InstantSource.fixed(Instant.EPOCH));

  MessageIdsTest() {}

  @Test
  void next_isLargerThanTheLast_whileTheClockStands() {
    List<UUID> made = Stream.generate(ids::next).limit(MANY).toList();

    assertThat(made).allMatch(id -> id.version() == 7 && id.variant() == 2);
    assertThat(made).extracting(UUID::toString).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void random_isNeverTheSame() {
    List<UUID> made = Stream.generate(ids::random).limit(MANY).toList();

    assertThat(made).allMatch(id -> id.version() == 4 && id.variant() == 2);
    assertThat(made).doesNotHaveDuplicates();
  }
}
