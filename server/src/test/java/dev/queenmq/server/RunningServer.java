package dev.queenmq.server;

import static dev.queenmq.server.testing.Await.await;

import dev.queenmq.server.config.HttpConfig;
import dev.queenmq.server.config.PostgresSource;
import dev.queenmq.server.config.ServerConfig;
import dev.queenmq.server.config.SessionConfig;
import dev.queenmq.server.config.SpoolConfig;
import dev.queenmq.server.config.values.LogLevel;
import dev.queenmq.server.config.values.PostgresEndpoint;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;

/** A whole broker on a test's database, and what its clients say over real HTTP. */
public final class RunningServer implements AutoCloseable {

  /** An answer; the body is text. */
  public record Answer(int status, String body, HttpResponse<String> http) {
    public JsonObject object() {
      return new JsonObject(body);
    }

    public JsonArray array() {
      return new JsonArray(body);
    }

    public String error() {
      return object().getString("error");
    }

    public List<JsonObject> messages() {
      return status == 204
          ? List.of()
          : object().getJsonArray("messages").stream().map(JsonObject.class::cast).toList();
    }

    public List<String> transactionIds() {
      return messages().stream().map(message -> message.getString("transactionId")).toList();
    }
  }

  private final HttpClient http = HttpClient.newHttpClient();
  private final Optional<QueenServer> server;
  private final int port;

  private RunningServer(QueenServer server) {
    this.server = Optional.of(server);
    port = await(server.start());
  }

  private RunningServer(int port) {
    this.server = Optional.empty();
    this.port = port;
  }

  /** One that runs elsewhere, and that others stop. */
  public static RunningServer at(int port) {
    RunningServer server = new RunningServer(port);
    // On a busy machine a broker may listen before it has reached PostgreSQL.
    Awaitility.await()
        .atMost(Duration.ofMinutes(3))
        .until(() -> server.get("/health").status() == 200);
    return server;
  }

  public static RunningServer on(PostgresEndpoint database) {
    return on(List.of(database));
  }

  /** On whichever of these takes writes. */
  public static RunningServer on(List<PostgresEndpoint> servers) {
    return new RunningServer(
        new QueenServer(
            new ServerConfig(
                new HttpConfig("127.0.0.1", 0),
                LogLevel.INFO,
                new PostgresSource.External(servers, true),
                SessionConfig.defaults(),
                Duration.ofSeconds(20)),
            text -> {}));
  }

  /** With these settings, named as in the environment. */
  public static RunningServer on(PostgresEndpoint database, Map<String, String> environment) {
    ServerConfig read = ServerConfig.read(environment, List.of());
    return new RunningServer(
        new QueenServer(
            new ServerConfig(
                read.http().at("127.0.0.1", 0),
                read.logLevel(),
                new PostgresSource.External(
                    database,
                    // What tests share is fast, not safe.
                    !"false".equals(environment.get("QUEEN_ALLOW_UNSAFE_POSTGRES"))),
                read.session(),
                read.startTimeout(),
                read.logFormat(),
                read.workerId(),
                read.sidecar(),
                read.pop(),
                read.cluster(),
                read.encryption(),
                spool(environment, read.spool()),
                read.upkeep(),
                read.statistics(),
                read.auth(),
                read.bounds(),
                read.withoutMeaning()),
            text -> {}));
  }

  /** Without a folder of its own it has none: others would be in the way. */
  private static SpoolConfig spool(Map<String, String> environment, SpoolConfig read) {
    return environment.containsKey("QUEEN_SPOOL_DIR")
        ? read
        : new SpoolConfig(read.folder(), 0, read.deadline());
  }

  public int port() {
    return port;
  }

  /** Returns when this number of pops wait. */
  public void awaitWaiting(int pops) {
    Awaitility.await()
        .until(
            () -> get("/metrics/prometheus").body().contains("queen_waiting_polls " + pops + "\n"));
  }

  public static JsonObject item(String queue, String partition, String transactionId) {
    return new JsonObject()
        .put("queue", queue)
        .put("partition", partition)
        .put("payload", new JsonObject().put("of", transactionId))
        .put("transactionId", transactionId);
  }

  public Answer push(JsonObject... items) {
    return post("/api/v1/push", new JsonObject().put("items", new JsonArray(List.of(items))));
  }

  public Answer pop(String queue, String query) {
    return get("/api/v1/pop/queue/" + encoded(queue) + "?" + query);
  }

  public CompletableFuture<Answer> popLater(String queue, String query) {
    return send(
        HttpRequest.newBuilder(uri("/api/v1/pop/queue/" + encoded(queue) + "?" + query)).build());
  }

  /** Acks one message. */
  public Answer ack(JsonObject message, String status) {
    return post("/api/v1/ack", ackItem(message, status));
  }

  public Answer ackAll(List<JsonObject> messages, String status) {
    JsonArray items = new JsonArray();
    messages.forEach(message -> items.add(ackItem(message, status)));
    return post(
        "/api/v1/ack/batch",
        new JsonObject()
            .put("consumerGroup", messages.get(0).getString("consumerGroup"))
            .put("acknowledgments", items));
  }

  public static JsonObject ackItem(JsonObject message, String status) {
    return new JsonObject()
        .put("transactionId", message.getString("transactionId"))
        .put("partitionId", message.getString("partitionId"))
        .put("leaseId", message.getString("leaseId"))
        .put("consumerGroup", message.getString("consumerGroup"))
        .put("status", status);
  }

  public Answer configure(String queue, JsonObject options) {
    return post("/api/v1/configure", new JsonObject().put("queue", queue).put("options", options));
  }

  public Answer get(String path) {
    return send(HttpRequest.newBuilder(uri(path)).build()).join();
  }

  public CompletableFuture<Answer> getLater(String path) {
    return send(HttpRequest.newBuilder(uri(path)).build());
  }

  public Answer delete(String path) {
    return send(HttpRequest.newBuilder(uri(path)).DELETE().build()).join();
  }

  public Answer post(String path, Object body) {
    return post(path, body instanceof String text ? text : Json.encode(body));
  }

  public Answer post(String path, String body) {
    return postLater(path, body).join();
  }

  public CompletableFuture<Answer> postLater(String path, String body) {
    return send(
        HttpRequest.newBuilder(uri(path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build());
  }

  private CompletableFuture<Answer> send(HttpRequest request) {
    return http.sendAsync(request, BodyHandlers.ofString())
        .thenApply(answer -> new Answer(answer.statusCode(), answer.body(), answer));
  }

  public static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  @Override
  public void close() throws IOException {
    server.ifPresent(own -> await(own.stop()));
  }
}
