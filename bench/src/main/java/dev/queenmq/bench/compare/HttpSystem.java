package dev.queenmq.bench.compare;

import dev.queenmq.bench.PostgresOptions;
import dev.queenmq.bench.bound.BoundProcess;
import dev.queenmq.bench.broker.BrokerProcess;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.JarOptions;
import dev.queenmq.bench.broker.ProcessTree;
import dev.queenmq.bench.http.Generator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A system that speaks the broker's contract.
 *
 * @param process starts it; empty: it runs already, at the URL
 */
record HttpSystem(
    String name,
    OnDisk onDisk,
    String setup,
    Optional<Function<PostgresOptions, BrokerProcess>> process,
    Optional<BrokerUrl> url)
    implements SystemUnderTest {

  /** The name of this broker, to which all others are compared. */
  static final String QUEEN = "queen";

  private static final String BOUND = "bound";

  /** This broker. */
  static HttpSystem queen(JarOptions jar) {
    return new HttpSystem(
        QUEEN,
        OnDisk.YES,
        "this broker over HTTP, embedded PostgreSQL with fsync; a push and an ack are answered"
            + " after their commit",
        Optional.of(postgres -> jar.start(postgres, Map.of())),
        Optional.empty());
  }

  /** The smallest broker that still commits every push and ack. */
  static HttpSystem bound() {
    return new HttpSystem(
        BOUND,
        OnDisk.YES,
        "the bare broker of `bench bound`: push, pop and ack over HTTP on the same PostgreSQL, no"
            + " checks, no deduplication across brokers",
        Optional.of(BoundProcess::start),
        Optional.empty());
  }

  /** One that runs already. */
  static HttpSystem at(String name, BrokerUrl url) {
    return new HttpSystem(
        name,
        OnDisk.UNKNOWN,
        "at " + url + ", set up by its operator",
        Optional.empty(),
        Optional.of(url));
  }

  @Override
  public RunningSystem start(StartOptions options) {
    if (url.isPresent()) {
      Generator generator =
          new Generator(url.get(), new ProcessTree(List.of()), options.plan(), options.progress());
      return new RunningSystem("", generator, List.of(generator, generator::deleteQueues));
    }
    BrokerProcess broker = process.orElseThrow().apply(options.postgres());
    Generator generator =
        new Generator(
            broker.url(),
            new ProcessTree(List.of(broker.process().pid())),
            options.plan(),
            options.progress());
    return new RunningSystem("", generator, List.of(broker, generator));
  }
}
