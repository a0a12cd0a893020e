package dev.queenmq.cli;

import dev.queenmq.server.QueenServer;
import dev.queenmq.server.config.ServerConfig;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A broker with a PostgreSQL of its own, in this JVM. */
final class LocalBroker implements AutoCloseable {
  /** Unpacked by the tests of that module, as a rule: to unpack them again takes seconds. */
  private static final Path BINARIES =
      Path.of("../embedded-postgres/target/postgres-binaries").toAbsolutePath().normalize();

  private final QueenServer server;
  private final int port;

  private LocalBroker(QueenServer server) throws Exception {
    this.server = server;
    this.port = await(server.start());
  }

  /** Starts one that keeps its data in a folder. */
  static LocalBroker start(Path folder, Map<String, String> settings) throws Exception {
    Map<String, String> environment = new HashMap<>();
    // A busy machine is no outage.
    environment.put("QUEEN_SPOOL_DEADLINE_MS", "60000");
    environment.putAll(settings);
    environment.put("HOST", "127.0.0.1");
    environment.put("PORT", "0");
    Path data = Files.createDirectories(folder.resolve("data"));
    Files.createSymbolicLink(data.resolve("binaries"), Files.createDirectories(BINARIES));
    environment.put("QUEEN_DATA_DIR", data.toString());
    return new LocalBroker(new QueenServer(ServerConfig.read(environment, List.of()), line -> {}));
  }

  String url() {
    return "http://127.0.0.1:" + port;
  }

  /** Pushes a payload byte for byte, and names that are hard to type. */
  void push(String queue, String partition, String transactionId, String payload) {
    JsonObject item =
        new JsonObject()
            .put("queue", queue)
            .put("partition", partition)
            .put("transactionId", transactionId);
    String text = item.encode();
    String body =
        "{\"items\":[" + text.substring(0, text.length() - 1) + ",\"payload\":" + payload + "}]}";
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url() + "/api/v1/push"))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    String answer =
        HttpClient.newHttpClient()
            .sendAsync(request, HttpResponse.BodyHandlers.ofString())
            .orTimeout(1, TimeUnit.MINUTES)
            .join()
            .body();
    if (!answer.contains("\"queued\"")) {
      throw new AssertionError(answer);
    }
  }

  @Override
  public void close() {
    await(server.stop());
  }

  private static <T> T await(Future<T> future) {
    return future.toCompletionStage().toCompletableFuture().orTimeout(3, TimeUnit.MINUTES).join();
  }
}
