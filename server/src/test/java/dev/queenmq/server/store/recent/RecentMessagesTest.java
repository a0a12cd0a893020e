package dev.queenmq.server.store.recent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.model.StoredMessage;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RecentMessagesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final UUID LANE = new UUID(1, 1);

  /** More than a message of these tests takes, less than two. */
  private static final long ONE_MESSAGE = 300;

  RecentMessagesTest() {}

  private static StoredMessage message(long offset, String payload) {
    return new StoredMessage(
        offset, new UUID(2, offset), "t" + offset, payload, null, null, false, NOW);
  }

  private static void append(RecentMessages recent, UUID lane, long from, long to) {
    recent.appended(
        lane, () -> LongStream.range(from, to).mapToObj(at -> message(at, "1")).toList());
  }

  private static List<Long> offsets(RecentMessages recent, UUID lane) {
    RecentRun run = recent.find(lane);
    return run == null ? List.of() : run.messages().stream().map(StoredMessage::offset).toList();
  }

  @Test
  void partitionThatNobodyHasPopped_isNotKept() {
    RecentMessages recent = new RecentMessages(1 << 20);

    recent.appended(
        LANE,
        () -> {
          throw new AssertionError("messages were made for nothing");
        });

    assertThat(recent.find(LANE)).isNull();
  }

  @Test
  void messagesThatFollow_areOneRun() {
    RecentMessages recent = new RecentMessages(1 << 20);
    recent.popped(LANE);
    append(recent, LANE, 5, 7);
    append(recent, LANE, 7, 8);

    RecentRun run = Objects.requireNonNull(recent.find(LANE));

    assertThat(run.covers(5, 8)).isTrue();
    assertThat(run.covers(4, 8)).isFalse();
    assertThat(run.covers(5, 9)).isFalse();
    assertThat(run.slice(6, 8)).extracting(StoredMessage::offset).containsExactly(6L, 7L);
  }

  @Test
  void gap_beginsAnotherRun() {
    RecentMessages recent = new RecentMessages(1 << 20);
    recent.popped(LANE);
    append(recent, LANE, 5, 7);
    append(recent, LANE, 8, 9);
    assertThat(offsets(recent, LANE)).containsExactly(8L);

    append(recent, LANE, 3, 5);
    assertThat(offsets(recent, LANE)).containsExactly(3L, 4L);
  }

  @Test
  void popUnderWay_keepsWhatItWasMadeWith() {
    RecentMessages recent = new RecentMessages(1 << 20);
    recent.popped(LANE);
    append(recent, LANE, 5, 7);
    RecentRun run = Objects.requireNonNull(recent.find(LANE));
    append(recent, LANE, 7, 9);
    append(recent, LANE, 20, 21);
    recent.forgetAll();

    assertThat(run.to()).isEqualTo(7);
    assertThat(run.slice(5, 7)).extracting(StoredMessage::offset).containsExactly(5L, 6L);
  }

  @Test
  void run_keepsTheNewestThatFit() {
    RecentMessages recent = new RecentMessages(16 * 3 * ONE_MESSAGE);
    recent.popped(LANE);
    append(recent, LANE, 0, 2);
    append(recent, LANE, 2, 4);

    assertThat(offsets(recent, LANE)).containsExactly(1L, 2L, 3L);
  }

  @Test
  void messageThatDoesNotFit_isNotKept_andTheNextOneIs() {
    RecentMessages recent = new RecentMessages(16 * 3 * ONE_MESSAGE);
    recent.popped(LANE);
    append(recent, LANE, 0, 1);
    recent.appended(LANE, () -> List.of(message(1, "x".repeat(5000))));
    assertThat(recent.find(LANE)).isNull();

    append(recent, LANE, 2, 3);
    assertThat(offsets(recent, LANE)).containsExactly(2L);
  }

  @Test
  void allTogether_takeNoMoreThanTheyMay() {
    RecentMessages recent = new RecentMessages(16 * 2 * ONE_MESSAGE);
    for (int i = 0; i < 1000; i++) {
      UUID lane = new UUID(3, i);
      recent.popped(lane);
      append(recent, lane, 0, 2);
      recent.find(new UUID(3, 0));
    }
    long kept =
        LongStream.range(0, 1000).filter(i -> !offsets(recent, new UUID(3, i)).isEmpty()).count();

    assertThat(kept).isBetween(8L, 16L);
    assertThat(offsets(recent, new UUID(3, 999))).hasSize(2);
    assertThat(offsets(recent, new UUID(3, 0))).as("used all the time").hasSize(2);
  }

  @Test
  void partitionsWithoutMessages_areBounded() {
    RecentMessages recent = new RecentMessages(16 * 2 * ONE_MESSAGE);
    recent.popped(LANE);
    for (int i = 0; i < 1000; i++) {
      recent.popped(new UUID(3, i));
    }
    append(recent, LANE, 0, 1);

    assertThat(recent.find(LANE)).isNull();
  }

  @Test
  void pushesThatNoPopFollows_areNotKeptForEver() {
    RecentMessages recent = new RecentMessages(1 << 20);
    recent.popped(LANE);
    for (int i = 0; i < 100; i++) {
      append(recent, LANE, i, i + 1);
    }
    assertThat(recent.find(LANE)).isNull();

    recent.popped(LANE);
    for (int i = 100; i < 200; i++) {
      append(recent, LANE, i, i + 1);
      recent.popped(LANE);
    }
    assertThat(offsets(recent, LANE)).hasSize(100);
  }

  @Test
  void nothing_isKeptWithoutMemory() {
    RecentMessages recent = new RecentMessages(0);
    recent.popped(LANE);
    append(recent, LANE, 0, 1);

    assertThat(recent.find(LANE)).isNull();
  }

  @Test
  void anotherServer_hasAnotherHistory() {
    RecentMessages recent = new RecentMessages(1 << 20);
    recent.popped(LANE);
    append(recent, LANE, 0, 1);
    recent.forgetAll();
    append(recent, LANE, 1, 2);

    assertThat(recent.find(LANE)).isNull();
  }
}
