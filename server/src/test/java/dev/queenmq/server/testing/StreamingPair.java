package dev.queenmq.server.testing;

import dev.queenmq.embedded.EmbeddedPostgres;
import dev.queenmq.embedded.EmbeddedPostgresConfig;
import dev.queenmq.embedded.EmbeddedPostgresException;
import dev.queenmq.embedded.PostgresAddress;
import dev.queenmq.embedded.PreparedCluster;
import dev.queenmq.embedded.SharedBinaries;
import dev.queenmq.embedded.Standby;
import dev.queenmq.server.config.values.PostgresEndpoint;
import dev.queenmq.server.config.values.Secret;
import dev.queenmq.server.config.values.Tls;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.awaitility.Awaitility;

/** A PostgreSQL and an asynchronous standby that follows it. */
public final class StreamingPair implements AutoCloseable {
  private static final Map<String, String> SETTINGS =
      Map.of("wal_keep_size", "256MB", "max_connections", "60", "shared_buffers", "32MB");

  private final Vertx vertx = Vertx.vertx();
  private final EmbeddedPostgres primary;
  private final EmbeddedPostgres standby;
  private final TestDatabase onPrimary;
  private final TestDatabase onStandby;

  private StreamingPair(EmbeddedPostgres primary, EmbeddedPostgres standby) {
    this.primary = primary;
    this.standby = standby;
    onPrimary = new TestDatabase(vertx, endpoint(primary.address()));
    onStandby = new TestDatabase(vertx, endpoint(standby.address()));
  }

  /** Starts both, with their data in this folder. */
  public static StreamingPair start(Path folder) {
    PreparedCluster.copyTo(folder.resolve("primary"));
    EmbeddedPostgresConfig config = config(folder.resolve("primary"));
    try {
      EmbeddedPostgres primary = EmbeddedPostgres.start(config);
      boolean both = false;
      try {
        EmbeddedPostgres standby =
            Standby.start(config, primary.address(), config(folder.resolve("standby")), "other");
        both = true;
        return new StreamingPair(primary, standby);
      } finally {
        if (!both) {
          primary.close();
        }
      }
    } catch (EmbeddedPostgresException e) {
      throw new IllegalStateException(e);
    }
  }

  private static EmbeddedPostgresConfig config(Path folder) {
    return EmbeddedPostgresConfig.in(folder)
        .withBinariesCache(SharedBinaries.FOLDER)
        .withSettings(SETTINGS);
  }

  private static PostgresEndpoint endpoint(PostgresAddress address) {
    return new PostgresEndpoint(
        address.host(),
        address.port(),
        address.database(),
        address.user(),
        new Secret(address.password()),
        new Tls.Off());
  }

  /** The first server, which takes writes until it is killed. */
  public TestDatabase primary() {
    return onPrimary;
  }

  /** The second one, which takes none until it is promoted. */
  public TestDatabase standby() {
    return onStandby;
  }

  /** Returns when the standby has all that the primary has committed. */
  public void awaitCaughtUp() {
    String end = (String) onPrimary.value("select pg_current_wal_flush_lsn()::text");
    Awaitility.await()
        .until(
            () ->
                (Boolean)
                    onStandby.value(
                        "select pg_last_wal_replay_lsn() >= '%s'::pg_lsn".formatted(end)));
  }

  /** From now on, what the primary commits is not on the standby. */
  public void cut() {
    onStandby.query("alter system set primary_conninfo = 'host=127.0.0.1 port=1'");
    onStandby.query("select pg_reload_conf()");
    Awaitility.await()
        .until(() -> onPrimary.value("select count(*) from pg_stat_replication").equals(0L));
  }

  /** The primary is gone at once, for good. */
  public void killPrimary() {
    String pid = Long.toString(primary.postmasterPid());
    try {
      new ProcessBuilder("kill", "-KILL", pid).start().onExit().join();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    primary.exited().join();
  }

  /** Returns when the standby takes writes. */
  public void promote() {
    onStandby.query("select pg_promote(true, 300)");
  }

  @Override
  public void close() {
    standby.close();
    primary.close();
    Await.await(vertx.close());
  }
}
