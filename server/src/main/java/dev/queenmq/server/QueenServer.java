package dev.queenmq.server;

import dev.queenmq.server.config.ServerConfig;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A broker in this process: starts, drains, stops. {@link BrokerStart} puts its parts together.
 *
 * <p>Safe for use by several threads.
 */
public final class QueenServer {

  private static final Logger log = LoggerFactory.getLogger(QueenServer.class);
  private static final Duration LAST_CLOSE = Duration.ofSeconds(1);

  private final ServerConfig config;
  private final Consumer<String> console;
  private final boolean daemon;
  private final Resources resources = new Resources();
  private final Drain drain;
  private volatile boolean listening;

  /**
   * A server that does nothing yet.
   *
   * @param console receives a few lines about what happens
   */
  public QueenServer(ServerConfig config, Consumer<String> console) {
    this(config, console, false);
  }

  private QueenServer(ServerConfig config, Consumer<String> console, boolean daemon) {
    this.config = config;
    this.console = console;
    this.daemon = daemon;
    drain = new Drain(config.http().drain());
  }

  /**
   * A server whose threads do not keep the JVM from ending: for a broker that serves the process it
   * runs in, and should end with it.
   *
   * @param console receives a few lines about what happens
   */
  public static QueenServer onDaemonThreads(ServerConfig config, Consumer<String> console) {
    return new QueenServer(config, console, true);
  }

  /**
   * Starts everything, or nothing: what a failed start had opened is closed again.
   *
   * @return the port of the HTTP server; any failure's message is meant for a person
   */
  public Future<Integer> start() {
    long started = System.nanoTime();
    String version = ProductVersion.current();
    console.accept("Queen MQ " + version);
    Vertx vertx = vertx();
    resources.add(LAST_CLOSE, vertx::close);
    // Without a context: after a failure, that of the steps below is gone.
    Promise<Integer> result = Promise.promise();
    StartChecks.run(vertx, config)
        .compose(
            good -> {
              BrokerStart broker =
                  new BrokerStart(vertx, config, resources, console, version, drain);
              return broker
                  .run()
                  .onSuccess(port -> listening = true)
                  .onSuccess(port -> announce(port, broker.away(), since(started)));
            })
        .onSuccess(result::complete)
        .onFailure(failure -> stop().onComplete(stopped -> result.fail(failure)));
    return result.future();
  }

  private static Duration since(long started) {
    return Duration.ofNanos(System.nanoTime() - started);
  }

  /**
   * Stops everything after the drain: meanwhile requests are served, and {@code /health/ready} is
   * answered 503. At once if the port is not open yet, or if the configuration wants no drain.
   */
  public Future<Void> drainAndStop() {
    Duration time = config.http().drain();
    if (!listening || time.isZero()) {
      return stop();
    }
    console.accept("Not ready any more; the port closes in %d ms".formatted(time.toMillis()));
    return drain.begin().compose(over -> stop());
  }

  /** Stops everything; may be called at any time, also during a start. */
  public Future<Void> stop() {
    return resources.close();
  }

  private Vertx vertx() {
    return Vertx.vertx(
        new VertxOptions()
            // As many as workers, so that HTTP and sidecars share them and seldom change threads.
            .setEventLoopPoolSize(config.sidecar().workers())
            .setPreferNativeTransport(true)
            .setUseDaemonThread(daemon)
            // We serve nothing from the class path, so nothing has to be unpacked anywhere.
            .setFileSystemOptions(
                new FileSystemOptions()
                    .setFileCachingEnabled(false)
                    .setClassPathResolvingEnabled(false)));
  }

  private void announce(int port, Optional<String> away, Duration took) {
    String host = config.http().host();
    String scheme = config.http().protection().https().isPresent() ? "https" : "http";
    console.accept(
        "Listening on %s://%s:%d, started in %d ms%s"
            .formatted(
                scheme,
                host,
                port,
                took.toMillis(),
                away.map(
                        why ->
                            ", without PostgreSQL (%s): until it answers, only pushes are taken, into the spool"
                                .formatted(why))
                    .orElse("")));
    String url = "%s://%s:%d".formatted(scheme, host.equals("0.0.0.0") ? "localhost" : host, port);
    if (config.statistics().dashboard()) {
      console.accept("Dashboard: " + url + "/");
    }
    console.accept(
        "Try it: curl %s/api/v1/push -d '{\"items\":[{\"queue\":\"hello\",\"payload\":\"world\"}]}'"
            .formatted(url));
    OpenPort.warning(config).ifPresent(log::warn);
    if (!config.withoutMeaning().isEmpty()) {
      log.debug("Set, but without meaning in this broker: {}", config.withoutMeaning());
    }
  }
}
