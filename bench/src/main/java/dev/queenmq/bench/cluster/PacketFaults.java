package dev.queenmq.bench.cluster;

import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Decides what becomes of packets: lost, late, twice, behind the next one, cut, with wrong bits, or
 * sent once more after minutes. Opens no socket and reads no clock. For one thread.
 */
final class PacketFaults {
  private static final int DROP = 15;
  private static final int DELAY = 20;
  private static final int DUPLICATE = 10;
  private static final int REORDER = 15;
  private static final int TRUNCATE = 8;
  private static final int FLIP = 8;
  private static final int REPLAY = 20;
  private static final int LONG_DELAY = 10;
  private static final int REMEMBERED = 4096;
  private static final Duration LATE = Duration.ofMillis(300);
  private static final Duration VERY_LATE = Duration.ofSeconds(10);
  private static final Duration HELD = Duration.ofMillis(200);

  /**
   * A packet that leaves at a moment.
   *
   * @param link which way it goes
   */
  record Departure(int link, long dueNanos, Buffer packet) {}

  private record Seen(int link, Buffer packet) {}

  private final RandomGenerator random;
  private final Consumer<UdpFault> counter;
  private final List<Seen> seen = new ArrayList<>();
  private final Map<Integer, Departure> held = new HashMap<>();

  PacketFaults(RandomGenerator random, Consumer<UdpFault> counter) {
    this.random = random;
    this.counter = counter;
  }

  /** What leaves because this packet came. */
  List<Departure> on(int link, Buffer packet, long now) {
    remember(new Seen(link, packet));
    List<Departure> out = new ArrayList<>();
    Departure before = held.remove(link);
    if (!happens(DROP, UdpFault.DROPPED)) {
      Buffer sent = flipped(truncated(packet));
      if (before == null && happens(REORDER, UdpFault.REORDERED)) {
        held.put(link, new Departure(link, now + HELD.toNanos(), sent));
      } else if (happens(DELAY, UdpFault.DELAYED)) {
        out.add(new Departure(link, now + delay(), sent));
      } else {
        out.add(new Departure(link, now, sent));
      }
      if (happens(DUPLICATE, UdpFault.DUPLICATED)) {
        out.add(new Departure(link, now + delay(), sent));
      }
    }
    if (before != null) {
      out.add(new Departure(link, now, before.packet()));
    }
    if (happens(REPLAY, UdpFault.REPLAYED)) {
      Seen again = seen.get(random.nextInt(seen.size()));
      out.add(new Departure(again.link(), now, again.packet()));
    }
    return out;
  }

  /** What was held for a next one that did not come. */
  List<Departure> overdue(long now) {
    List<Departure> due =
        held.values().stream().filter(departure -> departure.dueNanos() - now <= 0).toList();
    due.forEach(departure -> held.remove(departure.link()));
    return due;
  }

  /** Of any age: once there are enough, a new one takes the place of any other. */
  private void remember(Seen packet) {
    if (seen.size() < REMEMBERED) {
      seen.add(packet);
    } else {
      seen.set(random.nextInt(REMEMBERED), packet);
    }
  }

  private Buffer truncated(Buffer packet) {
    return packet.length() > 0 && happens(TRUNCATE, UdpFault.TRUNCATED)
        ? packet.getBuffer(0, random.nextInt(packet.length()))
        : packet;
  }

  private Buffer flipped(Buffer packet) {
    if (packet.length() == 0 || !happens(FLIP, UdpFault.FLIPPED)) {
      return packet;
    }
    byte[] changed = packet.getBytes();
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
    }
    return Buffer.buffer(changed);
  }

  private long delay() {
    Duration most = random.nextInt(100) < LONG_DELAY ? VERY_LATE : LATE;
    return random.nextLong(most.toNanos());
  }

  private boolean happens(int percent, UdpFault fault) {
    if (random.nextInt(100) >= percent) {
      return false;
    }
    counter.accept(fault);
    return true;
  }
}
