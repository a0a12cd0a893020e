package dev.queenmq.client.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class UuidV7Test {

  @Test
  void next_isOfVersion7_andSorts_alsoWithinAMillisecond() {
    UuidV7 ids = new UuidV7(Clock.fixed(Instant.parse("2026-11-17T12:00:00Z"), ZoneOffset.UTC));
    List<String> made = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      UUID id = ids.next();
      assertThat(id.version()).isEqualTo(7);
      assertThat(id.variant()).isEqualTo(2);
      made.add(id.toString());
    }

    assertThat(made).isSorted().doesNotHaveDuplicates();
    assertThat(UUID.fromString(made.get(0)).getMostSignificantBits() >>> 16)
        .isEqualTo(Instant.parse("2026-11-17T12:00:00Z").toEpochMilli());
  }
}
