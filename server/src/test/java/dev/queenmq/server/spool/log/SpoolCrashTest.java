package dev.queenmq.server.spool.log;

import static dev.queenmq.server.spool.log.Entries.append;
import static dev.queenmq.server.spool.log.Entries.entry;
import static dev.queenmq.server.spool.log.Entries.next;
import static dev.queenmq.server.spool.log.Entries.open;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Ends before any step: by kill, and by power with any sectors of what was not synced. */
class SpoolCrashTest {
  private final MemoryDisk disk = new MemoryDisk();
  private final List<Moment> moments = new ArrayList<>();
  private final List<String> asked = new ArrayList<>();
  private final List<String> acknowledged = new ArrayList<>();
  private final List<String> settling = new ArrayList<>();
  private final List<String> settled = new ArrayList<>();

  /** A disk as a crash leaves it, and what had happened until then. */
  private record Moment(
      String what,
      MemoryDisk disk,
      List<String> asked,
      List<String> acknowledged,
      List<String> settling,
      List<String> settled) {}

  private void remember(String what, MemoryDisk copy) {
    moments.add(
        new Moment(
            what,
            copy,
            List.copyOf(asked),
            List.copyOf(acknowledged),
            List.copyOf(settling),
            List.copyOf(settled)));
  }

  private int before(MemoryDisk.Step step, String name, int bytes) {
    String what = moments.size() + ": before " + step + " " + name;
    remember(what, disk.afterKill());
    for (int seed = 0; seed < 3; seed++) {
      remember(what + " (power)", disk.afterPowerLoss(new Random(moments.size())));
    }
    return bytes;
  }

  private void put(Spool spool, String... texts) {
    asked.addAll(List.of(texts));
    append(spool, java.util.Arrays.stream(texts).map(Entries::entry).toArray(SpoolEntry[]::new));
    acknowledged.addAll(List.of(texts));
  }

  private void settle(Spool spool, int count, Map<Integer, String> dead) throws IOException {
    SpoolBatch batch = next(spool, count);
    settling.addAll(Entries.texts(batch.entries()));
    spool.done(batch, dead);
    settled.addAll(Entries.texts(batch.entries()));
  }

  private void life(int life) throws IOException {
    try (Spool spool = open(disk)) {
      for (int i = 0; i < 4; i++) {
        String name = life + "." + i;
        put(spool, name + "a");
        put(spool, name + "b", name + "c", name + "d");
        settle(spool, 2, Map.of());
        settle(spool, 1, i == 2 ? Map.of(0, "bad") : Map.of());
      }
      if (life == 1) {
        while (spool.figures().pending() > 0) {
          settle(spool, 3, Map.of());
        }
      }
    }
  }

  @Test
  void crashAnywhere_losesNothingAcknowledged_andGivesNothingSettled() throws IOException {
    disk.setFault(this::before);
    life(0);
    life(1);
    life(2);
    assertThat(moments).hasSizeGreaterThan(300);
    for (Moment moment : moments) {
      check(moment);
    }
  }

  private static void check(Moment moment) throws IOException {
    List<String> found;
    // A crash while it is opened again must not matter either.
    List<MemoryDisk> half = new ArrayList<>();
    moment.disk.setFault(
        (step, name, bytes) -> {
          half.add(moment.disk.afterKill());
          return bytes;
        });
    try (Spool spool = open(moment.disk)) {
      moment.disk.setFault(MemoryDisk.Fault.NONE);
      half.add(moment.disk.afterKill());
      append(spool, entry("new"));
      found = Entries.drain(spool);
    }
    assertFound(moment, found.subList(0, found.size() - 1));
    assertThat(found).endsWith("new");
    for (MemoryDisk twice : half) {
      try (Spool spool = open(twice)) {
        assertThat(Entries.drain(spool))
            .as(moment.what + " and again")
            .isEqualTo(found.subList(0, found.size() - 1));
      }
    }
  }

  private static void assertFound(Moment moment, List<String> found) {
    assertThat(found).as(moment.what).doesNotHaveDuplicates();
    assertThat(found).as(moment.what).noneMatch(moment.settled::contains);
    List<String> must = new ArrayList<>(moment.acknowledged);
    must.removeAll(moment.settling);
    assertThat(found.containsAll(must)).as("%s: %s in %s", moment.what, must, found).isTrue();
    List<String> may = new ArrayList<>(moment.asked);
    may.retainAll(found);
    assertThat(found).as(moment.what + ": in order, and nothing else").isEqualTo(may);
  }
}
