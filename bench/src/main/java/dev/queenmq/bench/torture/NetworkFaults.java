package dev.queenmq.bench.torture;

import dev.queenmq.bench.broker.TcpProxy;
import dev.queenmq.bench.cluster.UdpChaos;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** What can happen between brokers and PostgreSQL, and between brokers. */
final class NetworkFaults {
  private static final int SHORTEST_DELAY = 10;
  private static final int LONGEST_DELAY = 200;

  private final Deployment deployment;

  NetworkFaults(Deployment deployment) {
    this.deployment = deployment;
  }

  List<Fault> all() {
    return List.of(
        Fault.of(
            "cut-tcp",
            "connections between brokers and PostgreSQL are cut, new ones refused",
            0.2,
            6,
            random -> proxies(random, proxy -> proxy.let(TcpProxy.Mode.SHUT))),
        Fault.of(
            "delay-tcp",
            "packets between brokers and PostgreSQL are delayed",
            2,
            8,
            random -> {
              int millis = random.nextInt(SHORTEST_DELAY, LONGEST_DELAY);
              return proxies(random, proxy -> proxy.slow(millis));
            }),
        Fault.of(
            "stall-tcp",
            "nothing passes between brokers and PostgreSQL, later all of it",
            1,
            8,
            random -> proxies(random, proxy -> proxy.let(TcpProxy.Mode.STUCK))),
        Fault.of(
            "deafen-tcp",
            "PostgreSQL's answers are lost, and then the connections",
            0.5,
            5,
            random -> proxies(random, proxy -> proxy.let(TcpProxy.Mode.DEAF))),
        Fault.of(
            "half-open-tcp",
            "connections are dead and look alive to brokers",
            0.1,
            1,
            random -> proxies(random, TcpProxy::forget)),
        Fault.of(
            "lose-udp",
            "packets between brokers are lost",
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

  /** Applies a fault to the proxy of one broker, or to those of all. */
  private Fault.Healing proxies(RandomGenerator random, Consumer<TcpProxy> what) {
    List<TcpProxy> chosen = new ArrayList<>(deployment.proxies());
    if (random.nextBoolean()) {
      int only = random.nextInt(chosen.size());
      chosen = List.of(chosen.get(only));
    }
    List<TcpProxy> all = chosen;
    all.forEach(what);
    return () -> all.forEach(proxy -> proxy.let(TcpProxy.Mode.OPEN));
  }

  private Fault.Healing network(UdpChaos.Mode mode) {
    deployment.network().let(mode);
    return () -> deployment.network().let(UdpChaos.Mode.ALL);
  }
}
