package dev.queenmq.server.http.server;

import dev.queenmq.server.config.HttpConfig;
import dev.queenmq.server.config.ProtectionConfig;
import dev.queenmq.server.memory.MemoryFigures;
import dev.queenmq.server.metrics.HttpFigures;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

/**
 * The HTTP servers of a broker, one on each of several event loops and all on the same port, from
 * the first connection to the last.
 */
public final class HttpFront {

  private final Vertx vertx;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final HttpInstance.Shared shared;
  private final List<HttpInstance> instances = new ArrayList<>();
  private final List<String> deployments = new ArrayList<>();
  private Optional<Long> watch = Optional.empty();

  private HttpFront(
      Vertx vertx, ProtectionConfig protection, InstantSource clock, LongSupplier nanoTime) {
    this.vertx = vertx;
    this.clock = clock;
    this.nanoTime = nanoTime;
    shared = shared(protection, nanoTime);
  }

  /**
   * Looks whether the port is free and the files are good that a start would need, so that a
   * mistake is reported before anything else is done.
   *
   * @return nothing, or a failure with a {@link HttpStartException}
   */
  public static Future<Void> check(Vertx vertx, HttpConfig config) {
    return material(vertx, files(vertx, config)).compose(good -> ListenCheck.run(vertx, config));
  }

  /**
   * Starts to listen.
   *
   * @param clock the time of day, of this machine
   * @param nanoTime as {@link System#nanoTime} counts
   * @param count how many servers, each on an event loop of its own, if there are enough
   * @param handlers is asked for the handler of each server, by its number from 0, on its event
   *     loop
   * @return the running servers, or a failure with a {@link HttpStartException}
   */
  public static Future<HttpFront> start(
      Vertx vertx,
      HttpConfig config,
      HttpLimits limits,
      InstantSource clock,
      LongSupplier nanoTime,
      int count,
      IntFunction<Handler<HttpServerRequest>> handlers) {
    HttpFront front = new HttpFront(vertx, config.protection(), clock, nanoTime);
    Optional<TlsFiles> files = files(vertx, config);
    return material(vertx, files)
        .compose(
            material ->
                front
                    .deploy(config, limits, material, count, handlers)
                    .onSuccess(listening -> front.watch(config, files, material)))
        .map(front)
        .recover(
            failure ->
                front.stop(Duration.ZERO).transform(stopped -> Future.failedFuture(failure)));
  }

  private static Optional<TlsFiles> files(Vertx vertx, HttpConfig config) {
    Duration handshake = config.protection().headTimeout();
    return config.protection().https().map(https -> new TlsFiles(vertx, https, handshake));
  }

  private static Future<Optional<TlsFiles.Material>> material(
      Vertx vertx, Optional<TlsFiles> files) {
    if (files.isEmpty()) {
      return Future.succeededFuture(Optional.empty());
    }
    TlsFiles those = files.get();
    return vertx
        .executeBlocking(() -> Optional.of(those.check(those.read())))
        .recover(
            failure ->
                Future.failedFuture(
                    new HttpStartException(String.valueOf(failure.getMessage()), failure)));
  }

  private Future<Void> deploy(
      HttpConfig config,
      HttpLimits limits,
      Optional<TlsFiles.Material> material,
      int count,
      IntFunction<Handler<HttpServerRequest>> handlers) {
    // Servers that listen on the same negative port share one that is free.
    int port =
        config.port() == 0
            ? -1 - ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE - 1)
            : config.port();
    Future<Void> started = Future.succeededFuture();
    for (int i = 0; i < Math.max(1, count); i++) {
      int number = i;
      HttpInstance instance =
          new HttpInstance(
              config.at(config.host(), port),
              limits,
              material.map(TlsFiles.Material::options),
              shared,
              nanoTime,
              () -> handlers.apply(number));
      started = started.compose(before -> deploy(instance));
    }
    return started.recover(
        failure -> Future.failedFuture(ListenCheck.cannotListen(config, failure)));
  }

  private static HttpInstance.Shared shared(ProtectionConfig protection, LongSupplier nanoTime) {
    ClientAddresses addresses = new ClientAddresses(protection.trustedProxies());
    return new HttpInstance.Shared(
        new Admission(
            protection.maxConnections(),
            protection.maxConnectionsPerAddress(),
            addresses,
            nanoTime),
        new RequestRates(protection.maxRequestRate(), addresses, nanoTime),
        new Cors(protection.origins()),
        new CrossOriginCheck(protection.origins(), protection.hosts(), addresses),
        new ErrorCounts());
  }

  private Future<Void> deploy(HttpInstance instance) {
    return vertx
        .deployVerticle(instance)
        .onSuccess(
            id -> {
              instances.add(instance);
              deployments.add(id);
            })
        .mapEmpty();
  }

  private void watch(
      HttpConfig config, Optional<TlsFiles> files, Optional<TlsFiles.Material> inUse) {
    if (files.isPresent() && inUse.isPresent()) {
      Duration period = config.protection().https().orElseThrow().reload();
      CertificateWatch certificates =
          new CertificateWatch(vertx, files.get(), inUse.get(), instances.get(0)::update, clock);
      watch = Optional.of(certificates.start(period));
    }
  }

  /** The port that it really listens on. */
  public int port() {
    return instances.get(0).port();
  }

  /** Requests and connections that it rejected. */
  public HttpFigures figures() {
    return new HttpFigures(
        shared.errors().byStatus(), shared.admission().refused(), MemoryFigures.none());
  }

  /** Takes no more requests, and waits a moment for the answers to those that it has. */
  public Future<Void> stop(Duration patience) {
    watch.ifPresent(vertx::cancelTimer);
    return Future.join(instances.stream().map(instance -> instance.shutdown(patience)).toList())
        .transform(down -> Future.join(deployments.stream().map(vertx::undeploy).toList()))
        .mapEmpty();
  }
}
