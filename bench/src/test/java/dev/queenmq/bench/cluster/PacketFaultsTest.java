package dev.queenmq.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PacketFaultsTest {
  private static final int PACKETS = 2_000;

  private final Map<UdpFault, Integer> counts = new EnumMap<>(UdpFault.class);

  PacketFaultsTest() {}

  @Test
  void malice_doesEverything_andTheSameForTheSameSeed() {
    List<PacketFaults.Departure> first = departures(7);

    assertThat(counts)
        .containsOnlyKeys(
            UdpFault.DROPPED,
            UdpFault.DELAYED,
            UdpFault.DUPLICATED,
            UdpFault.REORDERED,
            UdpFault.TRUNCATED,
            UdpFault.FLIPPED,
            UdpFault.REPLAYED);
    assertThat(departures(7)).isEqualTo(first);
    assertThat(departures(8)).isNotEqualTo(first);
  }

  @Test
  void overdue_givesWhatWasHeld_once() {
    PacketFaults packetFaults =
        new PacketFaults(new SplittableRandom(1), fault -> counts.merge(fault, 1, Integer::sum));
    while (!counts.containsKey(UdpFault.REORDERED)) {
      packetFaults.on(0, Buffer.buffer("packet"), 0);
    }

    assertThat(packetFaults.overdue(0)).isEmpty();
    assertThat(packetFaults.overdue(Duration.ofSeconds(1).toNanos())).hasSize(1);
    assertThat(packetFaults.overdue(Duration.ofSeconds(2).toNanos())).isEmpty();
  }

  private List<PacketFaults.Departure> departures(long seed) {
    PacketFaults packetFaults =
        new PacketFaults(new SplittableRandom(seed), fault -> counts.merge(fault, 1, Integer::sum));
    List<PacketFaults.Departure> all = new ArrayList<>();
    for (int i = 0; i < PACKETS; i++) {
      all.addAll(packetFaults.on(i % 6, Buffer.buffer("packet " + i), i));
    }
    return all;
  }
}
