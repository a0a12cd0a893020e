package dev.queenmq.testkit;

import dev.queenmq.client.QueenClient;
import dev.queenmq.testkit.internal.RunningBroker;
import dev.queenmq.testkit.internal.SharedHost;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A broker inside a test: the real one, in this process, on a real PostgreSQL, at a random port of
 * loopback.
 *
 * <pre>{@code
 * try (EmbeddedQueen queen = EmbeddedQueen.start()) {
 *   queen.client().queue("orders").push(new Order(17, "tea"));
 * }
 * }</pre>
 *
 * <p>The first start in a JVM starts PostgreSQL, and on a new machine unpacks it. PostgreSQL then
 * runs until the JVM ends, so that every later start takes only as long as a broker does. Each
 * broker has a database of its own. Most tests need just one broker: {@link #shared()}, or with
 * JUnit {@link QueenTest}.
 *
 * <p>The broker has a class loader and libraries of its own. Which versions of Netty, Jackson or
 * Vert.x are on the class path of the test does not matter. It logs through the SLF4J of the test.
 *
 * <p>Nothing survives: PostgreSQL does not wait for the disk, and all data go away with the JVM.
 * Only an empty database is kept, which the next JVM starts with. A broker that is not closed does
 * not keep the JVM from ending.
 *
 * <p>Safe for use by several threads.
 */
public final class EmbeddedQueen implements AutoCloseable {
  private final RunningBroker broker;
  private final QueenClient client;
  private final boolean shared;

  EmbeddedQueen(RunningBroker broker, boolean shared) {
    this.broker = broker;
    this.client = QueenClient.connect(url(broker));
    this.shared = shared;
  }

  /**
   * Starts a broker with the usual settings.
   *
   * @return the broker, which takes requests
   */
  public static EmbeddedQueen start() {
    return builder().start();
  }

  /**
   * The one broker that the tests of this JVM share. The first call starts it; it ends with the
   * JVM, and {@link #close()} does nothing to it.
   *
   * @return the broker, which takes requests
   */
  public static EmbeddedQueen shared() {
    return SharedQueen.get();
  }

  /**
   * Starts a broker with other settings.
   *
   * @return a builder with the usual settings
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Where the broker listens.
   *
   * @return for instance {@code http://127.0.0.1:41873}
   */
  public String url() {
    return url(broker);
  }

  private static String url(RunningBroker broker) {
    return "http://127.0.0.1:" + broker.port();
  }

  /**
   * The port that the broker listens at.
   *
   * @return a port of loopback
   */
  public int port() {
    return broker.port();
  }

  /**
   * A client of the broker. It is always the same one, and closed with the broker.
   *
   * @return a client
   */
  public QueenClient client() {
    return client;
  }

  /**
   * What the clock of the broker shows. It is ahead of the clock of the test by all that {@link
   * #advance} has added.
   *
   * @return now, for the broker
   */
  public Instant now() {
    return broker.now();
  }

  /**
   * Moves the clock of the broker forward, and wakes the polls that wait. To the broker it is as if
   * that much time had passed: leases expire, delays and retry delays are over, {@code
   * windowBuffer} and {@code ttl} have run, transaction ids may be used again, retention has more
   * to remove (when it runs: {@code client().admin().system().runUpkeep(...)}).
   *
   * <p>It does not move the clocks of clients: a poll waits as long as it said, and a consumer that
   * is at work does not notice that its lease has expired until it acks. Nor does it move the
   * interval at which upkeep runs by itself.
   *
   * <p>The clock is that of the whole broker, and never goes back, neither by {@link #reset()}.
   * Tests that move it should not run beside others on the same broker.
   *
   * @param by how far; not negative
   */
  public void advance(Duration by) {
    if (by.isNegative()) {
      throw new IllegalArgumentException("The clock of a broker cannot go back: " + by);
    }
    broker.advance(by);
    joinAll(broker.queues().stream().map(queue -> client.admin().system().wakeAsync(queue, null)));
  }

  /**
   * Removes everything: queues with their messages, groups and dead letters, subscriptions, traces,
   * what streams keep. Ends maintenance. Takes a few milliseconds. Consumers that run go on, and
   * wait for queues that do not exist.
   *
   * <p>The clock stays where it is, and transactions that have an id of their own are remembered.
   */
  public void reset() {
    removeQueues(queue -> true);
    broker.removeTracesAndStreams();
    if (broker.isInMaintenance()) {
      client.admin().system().setMaintenance(false);
      client.admin().system().setPopMaintenance(false);
    }
  }

  /**
   * Removes the queues whose names begin with a prefix, and what belongs to them.
   *
   * @param prefix for instance one of {@link #newPrefix()}
   */
  public void reset(String prefix) {
    removeQueues(queue -> queue.startsWith(prefix));
  }

  private void removeQueues(Predicate<String> which) {
    joinAll(
        broker.queues().stream()
            .filter(which)
            .map(queue -> client.admin().queues().deleteAsync(queue)));
  }

  /**
   * A prefix for the names of queues that no other test has: so tests on one broker do not meet.
   *
   * @return a short text that ends with a hyphen
   */
  public String newPrefix() {
    return "t" + UUID.randomUUID().toString().substring(0, 8) + "-";
  }

  /**
   * Begins an assertion about a queue of this broker.
   *
   * @param queue its name
   * @return what can be said about it
   */
  public QueueAssert assertThatQueue(String queue) {
    return new QueueAssert(broker, queue, Duration.ZERO);
  }

  /** Stops the broker and removes its data. Does nothing to the {@link #shared()} one. */
  @Override
  public void close() {
    if (!shared) {
      client.close();
      broker.close();
    }
  }

  private static void joinAll(Stream<? extends CompletableFuture<?>> calls) {
    CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).join();
  }

  /** What a broker is started with. */
  public static final class Builder {
    private final Map<String, String> settings = new HashMap<>();

    private Builder() {}

    /**
     * Gives the broker a setting, as an environment variable would: {@code docs/configuration.md}
     * lists them.
     *
     * @param name for instance {@code ENCRYPTION_KEY}
     * @param value its value
     * @return this
     */
    public Builder setting(String name, String value) {
      settings.put(name, value);
      return this;
    }

    /**
     * Listens at a port that you choose, instead of a free one.
     *
     * @param port of loopback
     * @return this
     */
    public Builder port(int port) {
      return setting("PORT", Integer.toString(port));
    }

    /**
     * Starts the broker.
     *
     * @return the broker, which takes requests
     */
    public EmbeddedQueen start() {
      return new EmbeddedQueen(SharedHost.get().start(settings), false);
    }
  }
}
