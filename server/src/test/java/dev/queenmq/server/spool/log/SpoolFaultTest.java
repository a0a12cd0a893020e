package dev.queenmq.server.spool.log;

import static dev.queenmq.server.spool.log.Entries.append;
import static dev.queenmq.server.spool.log.Entries.drain;
import static dev.queenmq.server.spool.log.Entries.entry;
import static dev.queenmq.server.spool.log.Entries.failure;
import static dev.queenmq.server.spool.log.Entries.next;
import static dev.queenmq.server.spool.log.Entries.open;
import static dev.queenmq.server.spool.log.Entries.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.spool.log.MemoryDisk.Fault;
import dev.queenmq.server.spool.log.MemoryDisk.Step;
import dev.queenmq.server.spool.log.SpoolException.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Disks that fail while they are used. */
class SpoolFaultTest {
  private final MemoryDisk disk = new MemoryDisk();

  private static Fault failing(Step failing) {
    return (step, name, bytes) -> {
      if (step == failing && !name.equals("spool.position")) {
        throw new IOException("Input/output error");
      }
      return bytes;
    };
  }

  /** A disk of this number of bytes. */
  private static Fault room(int bytes) {
    int[] left = {bytes};
    return (step, name, count) -> {
      int fitting = Math.min(count, left[0]);
      left[0] -= fitting;
      return fitting;
    };
  }

  @Test
  void fullDisk_failsTheAppendAndNothingElse_whereverTheWriteStops() throws IOException {
    for (int bytes = 0; bytes < 500; bytes += 3) {
      MemoryDisk full = new MemoryDisk();
      try (Spool spool = open(full)) {
        append(spool, "a", "b");
        full.setFault(room(bytes));
        int taken = 0;
        List<String> expected = new ArrayList<>(List.of("a", "b"));
        while (taken < 100) {
          try {
            spool.append(List.of(entry("x", "m" + taken))).toCompletableFuture().join();
            expected.add("m" + taken++);
          } catch (java.util.concurrent.CompletionException e) {
            assertThat(refusal(e).kind()).isEqualTo(Kind.DISK);
            assertThat(refusal(e)).hasMessageContaining("No space left on device");
            break;
          }
        }
        assertThat(spool.holds("orders", "x")).isEqualTo(taken > 0);
        assertThat(spool.figures().failed()).isEqualTo(1);
        assertThat(failure(spool, entry("y", "also"))).isInstanceOf(SpoolException.class);
        // Killed now, or going on when there is room: nothing that was acknowledged is lost.
        try (Spool next = open(full.afterKill())) {
          assertThat(drain(next)).isEqualTo(expected);
          assertThat(next.figures().damaged()).isZero();
        }
        full.setFault(Fault.NONE);
        append(spool, "z");
        expected.add("z");
        assertThat(drain(spool)).isEqualTo(expected);
      }
    }
  }

  @Test
  void fullDiskThatCannotEvenCut_goesOnInANewFile() throws IOException {
    try (Spool spool = open(disk)) {
      append(spool, "a");
      Fault full = room(20);
      Fault noCut = failing(Step.TRUNCATE);
      disk.setFault(
          (step, name, bytes) -> full.before(step, name, noCut.before(step, name, bytes)));
      assertThat(failure(spool, entry("lost")).kind()).isEqualTo(Kind.DISK);
      disk.setFault(Fault.NONE);
      append(spool, "b");
      assertThat(disk.segments()).hasSize(2);
      try (Spool next = open(disk.afterKill())) {
        assertThat(drain(next)).containsExactly("a", "b");
        assertThat(next.figures().damaged()).isZero();
      }
      assertThat(drain(spool)).containsExactly("a", "b");
    }
  }

  @Test
  void failedSync_isNotTrustedAgain() throws IOException {
    try (Spool spool = open(disk)) {
      append(spool, "a");
      int[] syncs = {0};
      disk.setFault(
          (step, name, bytes) -> {
            if (step == Step.SYNC && syncs[0]++ == 0) {
              throw new IOException("Input/output error");
            }
            return bytes;
          });
      append(spool, "b", "c");
      // The disk forgot what it could not sync, as Linux does: it must have been written again.
      for (int seed = 0; seed < 50; seed++) {
        try (Spool next = open(disk.afterPowerLoss(new Random(seed)))) {
          assertThat(drain(next)).containsExactly("a", "b", "c");
        }
      }
      try (Spool next = open(disk.afterKill())) {
        assertThat(drain(next)).containsExactly("a", "b", "c");
      }
      assertThat(drain(spool)).containsExactly("a", "b", "c");
    }
  }

  @Test
  void failedSyncAndFailedCut_giveAnEntryOnce() throws IOException {
    try (Spool spool = open(disk)) {
      append(spool, "a");
      int[] syncs = {0};
      disk.setFault(
          (step, name, bytes) -> {
            if (step == Step.TRUNCATE || (step == Step.SYNC && syncs[0]++ == 0)) {
              throw new IOException("Input/output error");
            }
            return bytes;
          });
      append(spool, "b");
      assertThat(disk.segments()).hasSize(2);
      append(spool, "c");
      try (Spool next = open(disk.afterKill())) {
        assertThat(drain(next)).containsExactly("a", "b", "c");
      }
      // Also if the header of the second file did not say where the first one ends.
      MemoryDisk blind = disk.afterKill();
      String name = disk.segments().get(1);
      byte[] second = blind.content(name);
      SegmentHeader header = SegmentHeader.decode(second).orElseThrow();
      new SegmentHeader(header.number(), header.salt(), 0, 0)
          .encoded()
          .get(second, 0, SegmentHeader.BYTES);
      blind.replace(name, second);
      try (Spool next = open(blind)) {
        assertThat(next.figures().pending()).isEqualTo(3);
        assertThat(drain(next)).containsExactly("a", "b", "c");
      }
      assertThat(drain(spool)).containsExactly("a", "b", "c");
    }
  }

  @Test
  void syncThatNeverWorks_failsTheAppends_andLeavesNothingBehind() throws IOException {
    try (Spool spool = open(disk)) {
      append(spool, "a");
      disk.setFault(failing(Step.SYNC));
      assertThat(failure(spool, entry("x", "b")).kind()).isEqualTo(Kind.DISK);
      assertThat(failure(spool, entry("x", "c")).kind()).isEqualTo(Kind.DISK);
      assertThat(spool.holds("orders", "x")).isFalse();
      assertThat(disk.segments()).hasSize(1);
      disk.setFault(Fault.NONE);
      append(spool, "d");
      assertThat(drain(spool)).containsExactly("a", "d");
      assertThat(spool.figures().failed()).isEqualTo(2);
    }
  }

  @Test
  void everyOtherFault_failsOneAppendOnly() throws IOException {
    for (Step step : List.of(Step.CREATE, Step.SYNC_FOLDER)) {
      MemoryDisk faulty = new MemoryDisk();
      try (Spool spool = open(faulty)) {
        faulty.setFault(failing(step));
        assertThat(failure(spool, entry("a")).kind()).as("%s", step).isEqualTo(Kind.DISK);
        faulty.setFault(Fault.NONE);
        append(spool, "b");
        assertThat(drain(spool)).containsExactly("b");
      }
    }
  }

  @Test
  void positionThatCannotBeWritten_givesTheBatchAgain() throws IOException {
    for (Step failing : List.of(Step.WRITE, Step.SYNC)) {
      MemoryDisk faulty = new MemoryDisk();
      try (Spool spool = open(faulty)) {
        append(spool, "a", "b", "c");
        spool.done(next(spool, 1), Map.of());
        faulty.setFault(
            (step, name, bytes) -> {
              if (step == failing && name.equals("spool.position")) {
                throw new IOException("Input/output error");
              }
              return bytes;
            });
        for (int i = 0; i < 3; i++) {
          SpoolBatch batch = next(spool, 1);
          assertThatThrownBy(() -> spool.done(batch, Map.of())).isInstanceOf(IOException.class);
          assertThat(spool.holds("orders", "p")).isTrue();
          for (int seed = 0; seed < 20; seed++) {
            try (Spool other = open(faulty.afterPowerLoss(new Random(seed)))) {
              assertThat(drain(other)).endsWith("b", "c").doesNotContain("a");
            }
          }
        }
        faulty.setFault(Fault.NONE);
        assertThat(drain(spool)).containsExactly("b", "c");
      }
    }
  }

  @Test
  void deadFileThatCannotBeWritten_settlesNothing() throws IOException {
    for (Step failing : List.of(Step.CREATE, Step.WRITE, Step.SYNC, Step.SYNC_FOLDER)) {
      MemoryDisk faulty = new MemoryDisk();
      try (Spool spool = open(faulty)) {
        append(spool, "a", "b");
        faulty.setFault(failing(failing));
        SpoolBatch batch = next(spool, 2);
        assertThatThrownBy(() -> spool.done(batch, Map.of(0, "bad")))
            .isInstanceOf(IOException.class);
        assertThat(spool.figures().pending()).isEqualTo(2);
        faulty.setFault(Fault.NONE);
        spool.done(next(spool, 2), Map.of(0, "bad"));
        assertThat(spool.figures().dead()).isEqualTo(1);
        assertThat(spool.next(1, 1)).isEmpty();
      }
    }
  }

  /** The replay keeps the batch that it has when it cannot read a larger one. */
  @Test
  void readThatFails_leavesTheBatchThatWasGivenLast() throws IOException {
    try (Spool spool = open(disk)) {
      append(spool, "a", "b", "c");
      SpoolBatch given = next(spool, 1);
      disk.setFault(failing(Step.READ));
      assertThatThrownBy(() -> next(spool, 3)).hasMessage("Input/output error");
      disk.setFault(Fault.NONE);

      spool.done(given, Map.of());

      assertThat(drain(spool)).containsExactly("b", "c");
    }
  }

  @Test
  void fileThatCannotBeDeleted_isSettledAllTheSame() throws IOException {
    try (Spool spool = open(disk)) {
      append(spool, "a", "b");
      disk.setFault(failing(Step.DELETE));
      assertThat(drain(spool)).containsExactly("a", "b");
      append(spool, "c");
      assertThat(drain(spool)).containsExactly("c");
    }
    disk.setFault(Fault.NONE);
    try (Spool spool = open(disk)) {
      assertThat(drain(spool)).isEmpty();
      assertThat(disk.segments()).isEmpty();
    }
  }

  @Test
  void appendsThatGatherDuringASync_goOutTogether() throws Exception {
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    try (Spool spool = open(disk)) {
      append(spool, "a");
      disk.setFault(
          (step, name, bytes) -> {
            writing.countDown();
            await(go);
            return bytes;
          });
      CompletableFuture<Void> first = spool.append(List.of(entry("b"))).toCompletableFuture();
      await(writing);
      List<CompletableFuture<Void>> others =
          IntStream.range(0, 5)
              .mapToObj(i -> spool.append(List.of(entry("x", "c" + i))).toCompletableFuture())
              .toList();
      assertThat(spool.holds("orders", "x")).isTrue();
      assertThat(first).isNotDone();
      assertThat(others).noneMatch(CompletableFuture::isDone);
      go.countDown();
      others.forEach(CompletableFuture::join);
      assertThat(spool.figures().syncs()).isEqualTo(3);
      assertThat(drain(spool)).containsExactly("a", "b", "c0", "c1", "c2", "c3", "c4");
    }
  }

  @Test
  void slowDisk_refusesWhatWouldFillTheMemory() throws Exception {
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    SpoolOptions options = SpoolOptions.of(Entries.NOWHERE, 1 << 30);
    SpoolEntry large =
        new SpoolEntry(
            Message.of("q", "p", UUID.randomUUID(), "t", "1".repeat(10 << 20)), false, 1);
    try (Spool spool = Spool.open(options, Encryption.none(), System::nanoTime, disk)) {
      disk.setFault(
          (step, name, bytes) -> {
            writing.countDown();
            await(go);
            return bytes;
          });
      List<CompletableFuture<Void>> taken = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        taken.add(spool.append(List.of(large)).toCompletableFuture());
        await(writing);
      }
      assertThat(failure(spool, large).kind()).isEqualTo(Kind.FULL);
      go.countDown();
      taken.forEach(CompletableFuture::join);
      assertThat(spool.figures().queuedBytes()).isZero();
      assertThat(drain(spool)).hasSize(3);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
