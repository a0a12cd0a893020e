package dev.queenmq.server.spool.log;

import static dev.queenmq.server.spool.log.Entries.open;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.spool.log.MemoryDisk.Step;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/**
 * Random lives of a spool against a model that is a list: appends, batches, ends by kill and by
 * power, faults of the disk, flipped bits. A seed that fails is in the message, and spool.seed
 * repeats it.
 */
class SpoolModelTest {
  private static final int LIVES = 200;
  private static final int STEPS = 60;

  @Test
  void randomLives() throws IOException {
    long base = Long.getLong("spool.seed", System.nanoTime());
    int lives = Long.getLong("spool.seed") == null ? LIVES : 1;
    System.out.println("SpoolModelTest: seeds from " + base + " on (-Dspool.seed repeats one)");
    for (long seed = base; seed < base + lives; seed++) {
      try {
        new Model(new Random(seed)).run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  /** What the spool should have. */
  private static final class Model {
    private final Random random;
    // In the order of the appends.
    private final List<String> asked = new ArrayList<>();
    private final Map<String, String> partitions = new HashMap<>();
    // Must come, as it was acknowledged; may come, as its append failed or its end is not known.
    private final Set<String> must = new HashSet<>();
    private final Set<String> may = new HashSet<>();
    private MemoryDisk disk = new MemoryDisk();
    private Spool spool;
    private boolean faulty;
    private int flips;

    Model(Random random) throws IOException {
      this.random = random;
      this.spool = open(disk);
    }

    void run() throws IOException {
      for (int i = 0; i < STEPS; i++) {
        switch (random.nextInt(12)) {
          case 0, 1, 2, 3, 4 -> append();
          case 5, 6, 7 -> settle();
          case 8 -> fault();
          case 9 -> end(disk.afterKill());
          case 10 -> end(disk.afterPowerLoss(random));
          default -> flip();
        }
        assertHolds();
      }
      disk.setFault(MemoryDisk.Fault.NONE);
      faulty = false;
      end(disk.afterKill());
      while (!settle()) {
        assertHolds();
      }
      assertThat(must).as("left").isEmpty();
      assertThat(spool.figures().pending()).isZero();
      assertThat(spool.figures().bytes()).isZero();
      spool.close();
    }

    private void append() {
      List<SpoolEntry> entries = new ArrayList<>();
      List<String> texts = new ArrayList<>();
      for (int i = random.nextInt(1, 4); i > 0; i--) {
        String text = "m" + asked.size();
        String partition = "p" + random.nextInt(3);
        asked.add(text);
        texts.add(text);
        partitions.put(text, partition);
        entries.add(Entries.entry(partition, text));
      }
      try {
        spool.append(entries).toCompletableFuture().join();
        must.addAll(texts);
      } catch (CompletionException e) {
        assertThat(faulty).as("a failed append: %s", e.getCause()).isTrue();
        may.addAll(texts);
      }
    }

    /** Takes a batch; whether there was none. */
    private boolean settle() throws IOException {
      Optional<SpoolBatch> batch;
      try {
        batch = spool.next(random.nextInt(1, 5), random.nextInt(1, 2_000));
      } catch (IOException e) {
        assertThat(faulty).as("a failed read: %s", e).isTrue();
        return false;
      }
      if (batch.isEmpty()) {
        // All that must be there was given, unless a flipped bit has cost it.
        lose(must);
        return true;
      }
      List<String> texts = Entries.texts(batch.get().entries());
      int last = -1;
      for (String text : texts) {
        int place = asked.indexOf(text);
        assertThat(place).as("%s: in order", texts).isGreaterThan(last);
        last = place;
        assertThat(must.contains(text) || may.contains(text)).as("%s is given", text).isTrue();
      }
      Set<String> before = new HashSet<>(must);
      int end = last;
      before.removeIf(text -> asked.indexOf(text) > end || texts.contains(text));
      lose(before);
      if (random.nextInt(4) > 0) {
        finish(batch.get(), texts);
      }
      return false;
    }

    private void finish(SpoolBatch batch, List<String> texts) {
      boolean dead = random.nextInt(5) == 0;
      try {
        spool.done(batch, dead ? Map.of(0, "bad") : Map.of());
        texts.forEach(must::remove);
        texts.forEach(may::remove);
        // What failed before these can come no more.
        int last = asked.indexOf(texts.get(texts.size() - 1));
        may.removeIf(text -> asked.indexOf(text) < last);
      } catch (IOException e) {
        assertThat(faulty).as("a failed settling: %s", e).isTrue();
        // After a loss of power its position may be there or not.
        must.removeAll(texts);
        may.addAll(texts);
      }
    }

    private void lose(Set<String> lost) {
      assertThat(flips).as("flips for %s", lost).isGreaterThanOrEqualTo(lost.isEmpty() ? 0 : 1);
      // A flip in the position makes entries come again, one in a record costs that one.
      assertThat(lost.size()).as("lost %s", lost).isLessThanOrEqualTo(flips);
      flips -= lost.size();
      must.removeAll(Set.copyOf(lost));
    }

    private void fault() {
      faulty = random.nextInt(3) > 0;
      if (!faulty) {
        disk.setFault(MemoryDisk.Fault.NONE);
        return;
      }
      Random faults = new Random(random.nextLong());
      disk.setFault(
          (step, name, bytes) -> {
            if (faults.nextInt(6) > 0) {
              return bytes;
            }
            if (step == Step.WRITE) {
              return faults.nextInt(bytes + 1);
            }
            throw new IOException("injected");
          });
    }

    private void end(MemoryDisk left) throws IOException {
      disk.setFault(MemoryDisk.Fault.NONE);
      spool.close();
      disk = left;
      faulty = false;
      spool = open(disk);
      // What was being written or settled is as it is, and the spool decides.
    }

    /** A bit of a record that is not the last one of all, which would be a torn tail. */
    private void flip() {
      List<String> names = disk.segments();
      if (names.isEmpty()) {
        return;
      }
      String name = names.get(random.nextInt(names.size()));
      byte[] content = disk.content(name);
      int records = content.length - SegmentHeader.BYTES;
      if (records > 0) {
        content[SegmentHeader.BYTES + random.nextInt(records)] ^= (byte) (1 << random.nextInt(8));
        disk.overwrite(name, content);
        flips++;
      }
    }

    private void assertHolds() {
      for (String text : must) {
        if (flips == 0) {
          assertThat(spool.holds("orders", partitions.getOrDefault(text, "")))
              .as("holds %s", text)
              .isTrue();
        }
      }
      if (spool.figures().pending() == 0) {
        for (int i = 0; i < 3; i++) {
          assertThat(spool.holds("orders", "p" + i)).as("holds p%d", i).isFalse();
        }
      }
    }
  }
}
