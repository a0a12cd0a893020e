package dev.queenmq.bench.torture;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.PostgresOptions;
import dev.queenmq.bench.broker.TcpProxy;
import io.vertx.sqlclient.Row;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;

/**
 * Kills PostgreSQL and promotes an <em>asynchronous</em> standby, again and again under load. Then
 * commits are lost, which cannot be avoided. This holds the brokers to the rest: exactly what
 * PostgreSQL lost is lost, no offset is given twice, and nothing hangs.
 *
 * <p>What PostgreSQL lost is known for certain. The promoted server is read before any broker
 * reaches it, and the server that was killed is started once more where no broker can reach it.
 * What the latter has and the former lacks is lost. In the end every message that a broker has
 * acknowledged has to be stored, or to be among those.
 *
 * <p>A standby on the same machine is hardly ever behind. So its line to the other server is cut up
 * to a second and a half before that one is killed.
 */
final class AsynchronousFailover {
  private static final int LONGEST_GAP_MILLIS = 1_500;
  private static final int LONGEST_ABSENCE_MILLIS = 3_000;
  private static final Duration RECOVERY_LIMIT = Duration.ofMinutes(3);
  private static final Duration DRAIN_LIMIT = Duration.ofMinutes(5);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

  /**
   * What was found.
   *
   * @param lost messages that PostgreSQL had committed and the promoted server lacked
   * @param lostAcknowledged those of them that a broker had acknowledged, and that no producer
   *     pushed again
   */
  record Outcome(
      int promotions,
      long acknowledged,
      long stored,
      long delivered,
      long acked,
      long lost,
      long lostAcknowledged,
      double slowestSeconds,
      List<String> wrongs) {

    boolean isClean() {
      return wrongs.isEmpty();
    }

    void print(PrintWriter out, long seed) {
      out.printf(
          Locale.ROOT,
          "%d promotions, seed %d: %,d messages acknowledged, %,d stored, %,d delivered, %,d acked;"
              + " PostgreSQL lost %,d, of which %,d were acknowledged and not pushed again; brokers"
              + " back after %.1f s at most%n",
          promotions,
          seed,
          acknowledged,
          stored,
          delivered,
          acked,
          lost,
          lostAcknowledged,
          slowestSeconds);
      wrongs.forEach(wrong -> out.println("  ! " + wrong));
      out.println(isClean() ? "nothing else is wrong." : "SOMETHING IS WRONG.");
      out.flush();
    }
  }

  private final TortureSettings settings;
  private final PostgresOptions options;
  private final PrintWriter progress;
  private final Random random;
  private final List<String> wrongs = new ArrayList<>();
  private final Set<String> lost = new HashSet<>();
  private final List<StoredLanes> kept = new ArrayList<>();
  private double slowest;

  AsynchronousFailover(TortureSettings settings, PostgresOptions options, PrintWriter progress) {
    this.settings = settings;
    this.options = options;
    this.progress = progress;
    random = new Random(settings.seed());
  }

  Outcome run() {
    try (Deployment deployment = new Deployment(options, settings)) {
      deployment.start();
      try (Canaries canaries = new Canaries(deployment.urls());
          FailoverLoad load = new FailoverLoad(List.copyOf(deployment.urls().values()), settings)) {
        load.start();
        long end = System.nanoTime() + settings.length().toNanos();
        do {
          promote(deployment, canaries, load);
        } while (System.nanoTime() < end && kept.size() < settings.faults());
        load.stopProducing();
        drain(deployment, load);
        load.stop();
        return outcome(deployment, load);
      }
    }
  }

  private void promote(Deployment deployment, Canaries canaries, FailoverLoad load) {
    Blocking.sleep(settings.settle());
    deployment.addStandby(false);
    Blocking.sleep(Duration.ofMillis(random.nextInt(1_000)));
    deployment.postgres().cutStandby();
    Blocking.sleep(Duration.ofMillis(random.nextInt(LONGEST_GAP_MILLIS)));
    load.serverGone();
    deployment.postgres().kill();
    Blocking.sleep(Duration.ofMillis(random.nextInt(LONGEST_ABSENCE_MILLIS)));
    // Nothing may be written there before it was read.
    deployment.standbyProxies().forEach(proxy -> proxy.let(TcpProxy.Mode.SHUT));
    Path left = deployment.promote();
    StoredLanes survived = StoredLanes.read(deployment.database(), FailoverLoad.QUEUE);
    long healed = System.nanoTime();
    deployment.proxies().forEach(proxy -> proxy.let(TcpProxy.Mode.OPEN));
    OptionalDouble back = canaries.await(healed, RECOVERY_LIMIT);
    if (back.isEmpty()) {
      wrongs.add(
          "promotion %d: brokers %s do not work after %s"
              .formatted(kept.size() + 1, canaries.silent(healed), RECOVERY_LIMIT));
    }
    slowest = Math.max(slowest, back.orElse((double) RECOVERY_LIMIT.toSeconds()));
    Set<String> gone = gone(deployment, left, survived);
    lost.addAll(gone);
    kept.add(survived);
    progress.printf(
        Locale.ROOT,
        "  promotion %d: PostgreSQL lost %d messages, brokers back after %.2f s%n",
        kept.size(),
        gone.size(),
        back.orElse(-1));
    progress.flush();
  }

  /** What the server had that was killed, and this one lacks. */
  private Set<String> gone(Deployment deployment, Path left, StoredLanes survived) {
    try (BenchPostgres dead = deployment.postgres().autopsy(left)) {
      StoredLanes had =
          StoredLanes.read(
              new BenchDatabase(
                  dead.vertx(),
                  dead.address().withDatabase(deployment.database().address().database())),
              FailoverLoad.QUEUE);
      had.notStartingWith(survived)
          .forEach(lane -> wrongs.add(lane + " differs between the two servers"));
      Set<String> gone = had.ids();
      gone.removeAll(survived.ids());
      return gone;
    } finally {
      BenchPostgres.discard(left);
    }
  }

  private void drain(Deployment deployment, FailoverLoad load) {
    boolean drained =
        Blocking.await(
            DRAIN_LIMIT,
            POLL_INTERVAL,
            () ->
                behind(deployment).isEmpty()
                    && load.delivered()
                        .containsAll(
                            StoredLanes.read(deployment.database(), FailoverLoad.QUEUE).ids()));
    if (!drained) {
      wrongs.add("not everything was delivered within " + DRAIN_LIMIT + ": " + behind(deployment));
    }
  }

  private static List<String> behind(Deployment deployment) {
    return deployment
        .database()
        .query(
            """
            select p.name || ' at ' || coalesce(c.committed, 0) || ' of ' || p.next_offset
            from queen.queues q
            join queen.partitions p on p.queue_id = q.id
            left join queen.cursors c
              on c.shard = p.shard and c.partition_id = p.id and c.consumer_group = 'readers'
            where q.name = '%s' and coalesce(c.committed, 0) < p.next_offset\
            """
                .formatted(FailoverLoad.QUEUE))
        .stream()
        .map((Row row) -> row.getString(0))
        .toList();
  }

  private Outcome outcome(Deployment deployment, FailoverLoad load) {
    StoredLanes stored = StoredLanes.read(deployment.database(), FailoverLoad.QUEUE);
    wrongs.addAll(stored.wrongs());
    wrongs.addAll(load.wrongs());
    for (StoredLanes each : kept) {
      stored
          .notStartingWith(each)
          .forEach(lane -> wrongs.add(lane + " lacks what a promoted server had"));
    }
    Set<String> ids = stored.ids();
    long excused = 0;
    for (String id : load.acknowledged()) {
      if (!ids.contains(id)) {
        if (lost.contains(id)) {
          excused++;
        } else {
          wrongs.add(id + " was acknowledged and is lost, though PostgreSQL never lost it");
        }
      }
    }
    return new Outcome(
        kept.size(),
        load.acknowledged().size(),
        ids.size(),
        load.delivered().size(),
        load.acks(),
        lost.size(),
        excused,
        slowest,
        wrongs);
  }
}
