package dev.queenmq.bench.torture;

import dev.queenmq.bench.AtExit;
import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.PostgresOptions;
import dev.queenmq.bench.TemporaryFolder;
import dev.queenmq.bench.audit.AuditedBrokers;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.FreePorts;
import dev.queenmq.bench.broker.Member;
import dev.queenmq.bench.broker.TcpProxy;
import dev.queenmq.bench.cluster.Cluster;
import dev.queenmq.bench.cluster.Sync;
import dev.queenmq.bench.cluster.UdpChaos;
import dev.queenmq.bench.torture.hostile.Tokens;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What faults are injected into: brokers in processes of their own, each with a proxy of its own to
 * one new PostgreSQL, and a network between them. All of it goes away on {@link #close}. For one
 * thread.
 */
final class Deployment implements AutoCloseable {
  /** Few enough that it is quick to take all of them. */
  static final int MAX_CONNECTIONS = 60;

  /** PostgreSQL can be at either, and a standby at the other. */
  private static final int SITES = 2;

  /** A port without a listener. */
  private static final int NOWHERE = 1;

  private static final long SPOOL_BYTES = 32L << 20;
  private static final String TOKENS_SETTING = "JWT_ENABLED";

  /** The brokers' own defaults, said here so that what a flood leaves can be held against them. */
  private static final Map<String, String> BOUNDS =
      Map.of("QUEEN_MAX_NEW_QUEUES_PER_TOKEN", "10000", "QUEEN_MAX_NEW_GROUPS_PER_TOKEN", "100000");

  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(20);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final FreePorts doors;
  private final List<List<TcpProxy>> proxies = new ArrayList<>();
  private final TemporaryFolder folder;
  private final SmallDisk databaseDisk;
  private final List<SmallDisk> spoolDisks = new ArrayList<>();
  private final BrokerClock clock;
  private final PostgresOptions options;
  private final TortureSettings settings;
  private final Tokens tokens = Tokens.create();
  private final String token = tokens.of("torture", "admin");
  private final String hostileToken = tokens.of("hostile", "read-write");
  private final AtExit atExit;
  private @Nullable Cluster cluster;

  /** Which of the two PostgreSQL is at. */
  private int site;

  /** Makes what it needs; nothing runs before {@link #start}. */
  Deployment(PostgresOptions options, TortureSettings settings) {
    this.options = options;
    this.settings = settings;
    doors = FreePorts.reserve(SITES * settings.brokers());
    folder = TemporaryFolder.in(options.parent());
    clock = BrokerClock.make(folder.path());
    atExit = new AtExit("deployment-exit", this::release);
    boolean disks =
        settings.only().isEmpty()
            || settings.only().stream().anyMatch(name -> name.contains("disk"));
    databaseDisk =
        disks
            ? SmallDisk.image(folder.path().resolve("database"))
            : SmallDisk.none("not asked for");
    for (int i = 0; i < settings.brokers(); i++) {
      spoolDisks.add(disks ? SmallDisk.memory(spool(i)) : SmallDisk.none("not asked for"));
    }
  }

  private Path spool(int broker) {
    return folder.path().resolve("spool-" + broker);
  }

  /** Starts it and waits until all brokers are healthy. */
  void start() {
    int brokers = settings.brokers();
    List<Integer> ports = doors.numbers();
    Map<String, Map<String, String>> own = new LinkedHashMap<>();
    for (int i = 0; i < settings.brokers(); i++) {
      Map<String, String> each = new LinkedHashMap<>(tokens.settings());
      each.putAll(BOUNDS);
      // It outlives the broker's process, as a real one does.
      each.put("QUEEN_SPOOL_DIR", spool(i).toString());
      each.put("SPOOL_MAX_BYTES", Long.toString(SPOOL_BYTES));
      if (hasDoors()) {
        each.put(
            "PG_HOST", "127.0.0.1:%d,127.0.0.1:%d".formatted(ports.get(i), ports.get(brokers + i)));
      }
      each.putAll(settings.brokerSettings());
      own.put(Character.toString('a' + i), each);
    }
    PostgresOptions place =
        new PostgresOptions(
            options.binFolder(),
            options.binariesCache(),
            Optional.of(databaseDisk.isThere() ? databaseDisk.path() : folder.path()));
    BenchPostgres postgres =
        BenchPostgres.start(
            place,
            Map.of(
                "max_connections",
                Integer.toString(MAX_CONNECTIONS),
                // Little enough for a small disk.
                "max_wal_size",
                "256MB",
                "min_wal_size",
                "64MB",
                // A standby that is made meanwhile can begin where its copy ends.
                "wal_keep_size",
                "64MB"));
    if (hasDoors()) {
      for (int i = 0; i < SITES; i++) {
        // The second server does not run yet, and no connection is let in.
        int target = i == site ? postgres.address().port() : NOWHERE;
        proxies.add(
            ports.subList(i * brokers, (i + 1) * brokers).stream()
                .map(port -> new TcpProxy(vertx, port, target))
                .toList());
      }
    }
    cluster =
        Cluster.start(
            postgres,
            Optional.of(folder.path()),
            new Cluster.Plan(
                settings.jar(),
                settings.brokers(),
                Sync.PROXIED,
                settings.brokerSettings(),
                own,
                settings.seed()),
            (broker, server) -> server);
  }

  /** A proxy delays everything that goes through it. */
  private boolean hasDoors() {
    return !FaultList.isOnlyHostile(settings.only());
  }

  Cluster cluster() {
    if (cluster == null) {
      throw new IllegalStateException("not started");
    }
    return cluster;
  }

  List<Member> members() {
    return cluster().members();
  }

  /** Where a broker answers, with the token that it asks for. */
  BrokerUrl url(Member member) {
    return member.url().with(token);
  }

  /** All brokers by their names, as {@link #url}. */
  Map<String, BrokerUrl> urls() {
    Map<String, BrokerUrl> urls = new LinkedHashMap<>();
    members().forEach(member -> urls.put(member.name(), url(member)));
    return urls;
  }

  /** The brokers for an audit, which waits before it counts until this returns. */
  AuditedBrokers audited(Runnable settle) {
    return cluster().audited(settle).with(token);
  }

  Tokens tokens() {
    return tokens;
  }

  /** A valid token, but not one that the broker accepts. */
  String hostileToken() {
    return hostileToken;
  }

  /** Why tokens do not count here; empty if they do. */
  Optional<String> withoutTokens() {
    return settings.brokerSettings().getOrDefault(TOKENS_SETTING, "true").equals("true")
        ? Optional.empty()
        : Optional.of("these brokers accept every caller (" + TOKENS_SETTING + ")");
  }

  /** How much of something the subject of a token may create at a broker; 0: any number. */
  long bound(String setting) {
    return withoutTokens().isPresent()
        ? 0
        : Long.parseLong(
            settings.brokerSettings().getOrDefault(setting, BOUNDS.getOrDefault(setting, "0")));
  }

  Member any(RandomGenerator random) {
    return members().get(random.nextInt(members().size()));
  }

  BenchPostgres postgres() {
    return cluster().postgres();
  }

  BenchDatabase database() {
    return cluster().database();
  }

  /** Those of the brokers to the server that takes writes, in their order. */
  List<TcpProxy> proxies() {
    return proxies.isEmpty() ? List.of() : proxies.get(site);
  }

  /** Those of the brokers to a standby, in their order. */
  List<TcpProxy> standbyProxies() {
    return proxies.get(other());
  }

  /** Starts a standby at the other place, and waits until it follows. */
  void addStandby(boolean synchronous) {
    int port = postgres().addStandby(synchronous).port();
    proxies.get(other()).forEach(proxy -> proxy.aim(port));
  }

  /** Lets the standby take over from a server that was killed, and returns when it has. */
  Path promote() {
    Path left = postgres().promote();
    proxies().forEach(proxy -> proxy.aim(NOWHERE));
    site = other();
    return left;
  }

  private int other() {
    return SITES - 1 - site;
  }

  UdpChaos network() {
    return cluster().chaos().orElseThrow();
  }

  SmallDisk databaseDisk() {
    return databaseDisk;
  }

  List<SmallDisk> spoolDisks() {
    return List.copyOf(spoolDisks);
  }

  BrokerClock clock() {
    return clock;
  }

  /** Undoes whatever a fault may have left when it broke off. */
  void repair() {
    members().forEach(Member::thaw);
    proxies.forEach(each -> each.forEach(proxy -> proxy.let(TcpProxy.Mode.OPEN)));
    network().let(UdpChaos.Mode.ALL);
    clock.set(0);
    databaseDisk.clear();
    spoolDisks.forEach(SmallDisk::clear);
    if (!ProcessHandle.of(postgres().postmasterPid()).map(ProcessHandle::isAlive).orElse(false)) {
      restartPostgres();
    }
    postgres().dropStandby();
    if (!takesWrites(ANSWER_LIMIT)) {
      restartPostgres();
    }
    members().stream().filter(member -> !member.isAlive()).forEach(Member::start);
  }

  /** Starts PostgreSQL again after it has ended. */
  void restartPostgres() {
    postgres().restart();
    proxies().forEach(proxy -> proxy.aim(postgres().address().port()));
  }

  /** Whether PostgreSQL takes a write within this time. */
  boolean takesWrites(Duration limit) {
    return Blocking.await(limit, POLL_INTERVAL, this::takesWrite);
  }

  private boolean takesWrite() {
    try {
      database().query("create table if not exists public.torture_writes (at timestamptz)");
      database().query("insert into public.torture_writes values (clock_timestamp())");
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  @Override
  public void close() {
    atExit.close();
  }

  private void release() {
    if (cluster != null) {
      cluster.close();
    }
    proxies.forEach(each -> each.forEach(TcpProxy::close));
    doors.close();
    Blocking.get(vertx.close());
    spoolDisks.forEach(SmallDisk::close);
    databaseDisk.close();
    folder.close();
  }
}
