package dev.queenmq.cli;

import dev.queenmq.server.QueenServer;
import dev.queenmq.server.config.ServerConfig;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A broker with a PostgreSQL of its own, in this JVM. */
final class LocalBroker implements AutoCloseable {
  private final QueenServer server;
  private final int port;

  private LocalBroker(QueenServer server) throws Exception {
    this.server = server;
    this.port = await(server.start());
  }

  /** Starts one that keeps its data in a folder. */
  static LocalBroker start(Path folder, Map<String, String> settings) throws Exception {
    Map<String, String> environment = new HashMap<>(settings);
    environment.put("HOST", "127.0.0.1");
    environment.put("PORT", "0");
    environment.put("QUEEN_DATA_DIR", folder.resolve("data").toString());
    return new LocalBroker(new QueenServer(ServerConfig.read(environment, List.of()), line -> {}));
  }

  String url() {
    return "http://127.0.0.1:" + port;
  }

  @Override
  public void close() {
    await(server.stop());
  }

  private static <T> T await(Future<T> future) {
    return future.toCompletionStage().toCompletableFuture().orTimeout(3, TimeUnit.MINUTES).join();
  }
}
