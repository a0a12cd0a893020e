package dev.queenmq.server.testing;

import dev.queenmq.embedded.EmbeddedPostgres;
import dev.queenmq.embedded.EmbeddedPostgresConfig;
import dev.queenmq.embedded.EmbeddedPostgresException;
import dev.queenmq.embedded.PostgresAddress;
import dev.queenmq.embedded.PreparedCluster;
import dev.queenmq.embedded.SharedBinaries;
import dev.queenmq.server.config.values.PostgresEndpoint;
import dev.queenmq.server.config.values.Secret;
import dev.queenmq.server.config.values.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** A PostgreSQL that a test stops and starts, on the same data and at the same address. */
public final class RestartablePostgres implements AutoCloseable {

  /** How it goes down. */
  public enum Shutdown {
    /** Sessions are ended, and the data are in order. */
    FAST,
    /** At once, as in a crash: the next start recovers. */
    IMMEDIATE
  }

  private final EmbeddedPostgresConfig config;
  private final PostgresEndpoint endpoint;
  private EmbeddedPostgres server;
  private Optional<SocketChannel> port = Optional.empty();

  private RestartablePostgres(EmbeddedPostgresConfig config, EmbeddedPostgres server) {
    this.config = config;
    this.server = server;
    PostgresAddress address = server.address();
    endpoint =
        new PostgresEndpoint(
            address.host(),
            address.port(),
            address.database(),
            address.user(),
            new Secret(address.password()),
            new Tls.Off());
  }

  /** A new one with its data in this folder. */
  public static RestartablePostgres start(Path folder) {
    PreparedCluster.copyTo(folder);
    EmbeddedPostgresConfig config =
        EmbeddedPostgresConfig.in(folder).withBinariesCache(SharedBinaries.FOLDER);
    return new RestartablePostgres(config, started(config));
  }

  /** Its database, before and after a restart. */
  public PostgresEndpoint endpoint() {
    return endpoint;
  }

  /** Stops it; when this returns it is down. */
  public void stop(Shutdown how) {
    if (how == Shutdown.IMMEDIATE) {
      String pid = Long.toString(server.postmasterPid());
      try {
        new ProcessBuilder("kill", "-QUIT", pid).start().onExit().join();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      server.exited().join();
    }
    server.close();
    holdPort();
  }

  /** No other process may take the port meanwhile. Connections to it are still refused. */
  private void holdPort() {
    try {
      SocketChannel bound = SocketChannel.open();
      bound.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      bound.bind(new InetSocketAddress(endpoint.host(), endpoint.port()));
      port = Optional.of(bound);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void releasePort() {
    try {
      if (port.isPresent()) {
        port.get().close();
        port = Optional.empty();
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Stops all of its processes where they are; they take nothing and answer nothing. */
  public void freeze() {
    signal("-STOP");
  }

  /** Lets them go on. */
  public void thaw() {
    signal("-CONT");
  }

  private void signal(String signal) {
    ProcessHandle postmaster = ProcessHandle.of(server.postmasterPid()).orElseThrow();
    // First the one that starts others.
    for (ProcessHandle each :
        Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList()) {
      try {
        new ProcessBuilder("kill", signal, Long.toString(each.pid())).start().onExit().join();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** Starts it again; when this returns it takes connections. */
  public void startAgain() {
    server = started(config);
    releasePort();
    if (server.address().port() != endpoint.port()) {
      throw new AssertionError("another process took port " + endpoint.port());
    }
  }

  private static EmbeddedPostgres started(EmbeddedPostgresConfig config) {
    try {
      return EmbeddedPostgres.start(config);
    } catch (EmbeddedPostgresException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    server.close();
    releasePort();
  }
}
