package dev.queenmq.bench.cluster;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.EventLoop;
import dev.queenmq.bench.PostgresOptions;
import dev.queenmq.bench.audit.AuditedBrokers;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.FreePorts;
import dev.queenmq.bench.broker.Member;
import dev.queenmq.embedded.PostgresAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Brokers in processes of their own on one new PostgreSQL, all of which goes away on {@link #close}
 * and with this JVM. What is said about members is safe for any thread.
 */
public final class Cluster implements AutoCloseable {
  private static final String DATABASE = "cluster";
  private static final int SECRET_BYTES = 32;

  private final BenchPostgres postgres;
  private final List<Member> members = new ArrayList<>();
  private @Nullable FreePorts ports;
  private @Nullable UdpChaos chaos;
  private @Nullable Liar liar;

  /**
   * What a cluster is made of.
   *
   * @param settings of each broker, beside those that make it a member
   * @param own settings of single brokers, by their name, beside those of each
   * @param seed of what happens between its members
   */
  public record Plan(
      Path jar,
      int brokers,
      Sync sync,
      Map<String, String> settings,
      Map<String, Map<String, String>> own,
      long seed) {}

  /** Where a broker finds PostgreSQL: directly, or through a proxy. */
  @FunctionalInterface
  public interface Way {
    /** The address that the broker with this number uses, counted from 0. */
    PostgresAddress of(int broker, PostgresAddress server);
  }

  private Cluster(BenchPostgres postgres) {
    this.postgres = postgres;
  }

  /** Starts one and waits until all members are healthy. */
  public static Cluster start(PostgresOptions options, Plan plan) {
    // Counts how often each procedure is called.
    return start(
        BenchPostgres.start(options, Map.of("track_functions", "all")),
        options.parent(),
        plan,
        (broker, server) -> server);
  }

  /** The same on a PostgreSQL that belongs to the cluster from now on, reached by this way. */
  public static Cluster start(BenchPostgres postgres, Optional<Path> parent, Plan plan, Way way) {
    Cluster cluster = new Cluster(postgres);
    try {
      cluster.begin(parent, plan, way);
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void begin(Optional<Path> parent, Plan plan, Way way) {
    PostgresAddress server = postgres.address();
    postgres.database("postgres").query("create database " + DATABASE);
    ports = FreePorts.reserve(2 * plan.brokers() + 1);
    List<Integer> numbers = ports.numbers();
    List<Integer> http = numbers.subList(0, plan.brokers());
    List<Integer> udp = numbers.subList(plan.brokers(), 2 * plan.brokers());
    int liarPort = numbers.get(2 * plan.brokers());
    if (plan.sync().proxied()) {
      chaos = UdpChaos.between(udp, plan.seed());
    }
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    for (int i = 0; i < plan.brokers(); i++) {
      Map<String, String> settings =
          new LinkedHashMap<>(BenchDatabase.settings(way.of(i, server), DATABASE));
      settings.put("WORKER_ID", name(i));
      // Its folder goes with each process; a run that wants a spool says where it is.
      settings.put("SPOOL_MAX_BYTES", "0");
      if (plan.sync() != Sync.OFF) {
        settings.put("QUEEN_UDP_NOTIFY_PORT", Integer.toString(udp.get(i)));
        settings.put(
            "QUEEN_UDP_PEERS",
            peers(i, udp) + (plan.sync() == Sync.LIED_TO ? ",127.0.0.1:" + liarPort : ""));
        settings.put("QUEEN_SYNC_SECRET", HexFormat.of().formatHex(secret));
      }
      settings.putAll(plan.settings());
      settings.putAll(plan.own().getOrDefault(name(i), Map.of()));
      members.add(new Member(name(i), plan.jar(), parent, http.get(i), settings));
    }
    startAll();
    if (plan.sync() == Sync.LIED_TO) {
      liar = new Liar(liarPort, udp, secret, database(), plan.seed());
    }
  }

  /** All at once: the first one creates the schema while the others start. */
  private void startAll() {
    ExecutorService starting = Executors.newFixedThreadPool(members.size());
    try {
      CompletableFuture.allOf(
              members.stream()
                  .map(member -> CompletableFuture.runAsync(member::start, starting))
                  .toArray(CompletableFuture<?>[]::new))
          .join();
    } finally {
      starting.shutdown();
    }
  }

  private static String name(int index) {
    return Character.toString('a' + index);
  }

  private String peers(int self, List<Integer> udp) {
    UdpChaos between = chaos;
    return IntStream.range(0, udp.size())
        .filter(other -> other != self)
        .map(other -> between == null ? udp.get(other) : between.port(self, other))
        .mapToObj(port -> "127.0.0.1:" + port)
        .collect(Collectors.joining(","));
  }

  /** Its brokers, also those that are down. */
  public List<Member> members() {
    return List.copyOf(members);
  }

  /** Where they answer. */
  public List<BrokerUrl> urls() {
    return members.stream().map(Member::url).toList();
  }

  /** A client of each of them, with this many connections. */
  List<BrokerClient> clients(EventLoop loop, int connections) {
    return urls().stream().map(url -> new BrokerClient(loop.vertx(), url, connections)).toList();
  }

  /** The PostgreSQL that all of them use. */
  public BenchPostgres postgres() {
    return postgres;
  }

  /** The database that all of them use. */
  public BenchDatabase database() {
    return postgres.database(DATABASE);
  }

  /** What stands between them, if anything does. */
  public Optional<UdpChaos> chaos() {
    return Optional.ofNullable(chaos);
  }

  /** Whether the liar among them lies, which it does at first, or is a peer without consumers. */
  public void lie(boolean yes) {
    if (liar != null) {
      liar.lie(yes);
    }
  }

  /** How many false messages they were sent. */
  public long lies() {
    return liar == null ? 0 : liar.lies();
  }

  /** For an audit, which waits before it counts until this returns. */
  public AuditedBrokers audited(Runnable settle) {
    Map<BrokerUrl, Member> byUrl =
        members.stream().collect(Collectors.toUnmodifiableMap(Member::url, member -> member));
    return new AuditedBrokers(
        urls(),
        url -> Optional.ofNullable(byUrl.get(url)).filter(Member::isUp).isPresent(),
        settle);
  }

  @Override
  public void close() {
    if (liar != null) {
      liar.close();
    }
    // Together: each may take seconds to stop.
    members.parallelStream().forEach(Member::close);
    if (chaos != null) {
      chaos.close();
    }
    if (ports != null) {
      ports.close();
    }
    postgres.close();
  }
}
