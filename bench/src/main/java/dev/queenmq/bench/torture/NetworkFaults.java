package dev.queenmq.bench.torture;

import dev.queenmq.bench.broker.TcpDoor;
import dev.queenmq.bench.cluster.UdpChaos;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** What can happen between brokers and PostgreSQL, and between brokers. */
final class NetworkFaults {
  private static final int SHORTEST_DELAY = 10;
  private static final int LONGEST_DELAY = 200;

  private final Plant plant;

  NetworkFaults(Plant plant) {
    this.plant = plant;
  }

  List<Fault> all() {
    return List.of(
        Fault.of(
            "cut-tcp",
            "connections between brokers and PostgreSQL are cut, new ones refused",
            0.2,
            6,
            random -> doors(random, door -> door.let(TcpDoor.Mode.SHUT))),
        Fault.of(
            "delay-tcp",
            "what brokers and PostgreSQL tell each other comes late",
            2,
            8,
            random -> {
              int millis = random.nextInt(SHORTEST_DELAY, LONGEST_DELAY);
              return doors(random, door -> door.slow(millis));
            }),
        Fault.of(
            "stall-tcp",
            "nothing passes between brokers and PostgreSQL, later all of it",
            1,
            8,
            random -> doors(random, door -> door.let(TcpDoor.Mode.STUCK))),
        Fault.of(
            "deafen-tcp",
            "PostgreSQL's answers are lost, and then the connections",
            0.5,
            5,
            random -> doors(random, door -> door.let(TcpDoor.Mode.DEAF))),
        Fault.of(
            "half-open-tcp",
            "connections are dead and look alive to brokers",
            0.1,
            1,
            random -> doors(random, TcpDoor::forget)),
        Fault.of(
            "lose-udp",
            "what brokers tell each other does not arrive",
            2,
            8,
            random -> network(UdpChaos.Mode.NOTHING)),
        Fault.of(
            "mangle-udp",
            "... or is delayed, duplicated, reordered, truncated, falsified and replayed",
            2,
            8,
            random -> network(UdpChaos.Mode.NONSENSE)));
  }

  /** Of some brokers or all. */
  private Fault.Healing doors(RandomGenerator random, Consumer<TcpDoor> what) {
    List<TcpDoor> chosen = new ArrayList<>(plant.doors());
    if (random.nextBoolean()) {
      int only = random.nextInt(chosen.size());
      chosen = List.of(chosen.get(only));
    }
    List<TcpDoor> all = chosen;
    all.forEach(what);
    return () -> all.forEach(door -> door.let(TcpDoor.Mode.OPEN));
  }

  private Fault.Healing network(UdpChaos.Mode mode) {
    plant.network().let(mode);
    return () -> plant.network().let(UdpChaos.Mode.ALL);
  }
}
