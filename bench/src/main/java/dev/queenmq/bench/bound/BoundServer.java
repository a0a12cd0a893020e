package dev.queenmq.bench.bound;

import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.PostgresOptions;
import dev.queenmq.bench.StoreConnection;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The smallest broker as a process: arguments are a port, a folder, and a PostgreSQL if not ours.
 */
final class BoundServer {
  private BoundServer() {}

  /** Runs until the process is ended; PostgreSQL ends with it. */
  public static void main(String[] arguments) throws InterruptedException {
    PostgresOptions options =
        new PostgresOptions(
            arguments.length > 2 ? Optional.of(Path.of(arguments[2])) : Optional.empty(),
            Optional.empty(),
            Optional.of(Path.of(arguments[1])));
    BenchPostgres postgres = BenchPostgres.start(options, Map.of());
    Vertx vertx =
        Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(1));
    Context context = Blocking.get(StoreConnection.newContext(vertx));
    Blocking.get(
        Future.future(
            promise ->
                context.runOnContext(
                    go ->
                        BoundStatements.connect(vertx, postgres.address())
                            .map(statements -> new BoundHttp(new BoundBroker(context, statements)))
                            .compose(
                                http ->
                                    vertx
                                        .createHttpServer(
                                            new HttpServerOptions()
                                                .setHost("127.0.0.1")
                                                .setPort(Integer.parseInt(arguments[0])))
                                        .requestHandler(http::handle)
                                        .listen())
                            .onComplete(promise))));
    Thread.currentThread().join();
  }
}
