package dev.queenmq.dashboard;

import static org.awaitility.Awaitility.await;

import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A broker as users start it, with a PostgreSQL of its own, and what its clients send it. */
final class Broker implements AutoCloseable {
  /** Unpacked by the tests of that module, as a rule: to unpack them again takes seconds. */
  private static final Path BINARIES =
      Path.of("../embedded-postgres/target/postgres-binaries").toAbsolutePath().normalize();

  private static final Pattern LISTENING = Pattern.compile("Listening on http://127.0.0.1:(\\d+)");
  private static final Duration LIMIT = Duration.ofMinutes(3);

  /** It does not gain by the better one; but what is measured is the usual. */
  private static final String COMPILER =
      System.getProperty("queen.measure.seconds") == null
          ? "-XX:TieredStopAtLevel=1"
          : "-XX:+TieredCompilation";

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path folder;
  private final Process process;
  private final Path output;
  private final int port;

  private Broker(Path folder, Process process, Path output) {
    this.folder = folder;
    this.process = process;
    this.output = output;
    this.port = awaitPort();
    await().atMost(LIMIT).until(() -> status("/health") == 200);
  }

  /** Starts one that asks for tokens. */
  static Broker start(Map<String, String> settings) throws IOException {
    Path folder = Files.createTempDirectory("queen-dashboard");
    Path data = Files.createDirectories(folder.resolve("data"));
    Files.createSymbolicLink(data.resolve("binaries"), Files.createDirectories(BINARIES));
    Path output = folder.resolve("output.txt");
    ProcessBuilder builder =
        new ProcessBuilder(
                EndsWithParent.command(
                    List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        COMPILER,
                        "-Xmx384m",
                        "-jar",
                        System.getProperty("queen.jar", "../server/target/queen.jar"))))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().keySet().removeIf(name -> !name.equals("PATH"));
    builder.environment().put("HOST", "127.0.0.1");
    builder.environment().put("PORT", "0");
    builder.environment().put("QUEEN_DATA_DIR", data.toString());
    builder.environment().put("JWT_ENABLED", "true");
    builder.environment().put("JWT_SECRET", Tokens.SECRET);
    // A slow machine is no outage: what was pushed is there for the pop that follows.
    builder.environment().put("QUEEN_SPOOL_DEADLINE_MS", "60000");
    builder.environment().putAll(settings);
    return new Broker(folder, builder.start(), output);
  }

  private int awaitPort() {
    await().atMost(LIMIT).until(() -> !process.isAlive() || LISTENING.matcher(said()).find());
    Matcher line = LISTENING.matcher(said());
    if (!line.find()) {
      throw new AssertionError("the broker did not start: " + said());
    }
    return Integer.parseInt(line.group(1));
  }

  String said() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Processor time of the broker and its PostgreSQL so far. */
  Duration processorTime() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .map(Broker::processorTime)
        .reduce(Duration.ZERO, Duration::plus);
  }

  /** With that of its children that have ended, as the backends of closed connections. */
  private static Duration processorTime(ProcessHandle each) {
    try {
      String line = Files.readString(Path.of("/proc", Long.toString(each.pid()), "stat"));
      // Behind the name, which may have any character: the state, and ten fields later the times.
      String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
      long ticks = 0;
      for (int i = 11; i <= 14; i++) {
        ticks += Long.parseLong(fields[i]);
      }
      return Duration.ofMillis(10 * ticks);
    } catch (IOException e) {
      return each.info().totalCpuDuration().orElse(Duration.ZERO);
    }
  }

  String url() {
    return "http://127.0.0.1:" + port;
  }

  int status(String path) {
    return send(HttpRequest.newBuilder(uri(path)).build()).statusCode();
  }

  HttpResponse<String> getPlain(String path) {
    return send(HttpRequest.newBuilder(uri(path)).build());
  }

  JsonObject get(String path) {
    return new JsonObject(ask("GET", path, "").body());
  }

  JsonArray list(String path) {
    return new JsonArray(ask("GET", path, "").body());
  }

  JsonObject post(String path, JsonObject body) {
    String answer = ask("POST", path, Json.encode(body)).body();
    return answer.startsWith("{")
        ? new JsonObject(answer)
        : new JsonObject().put("list", new JsonArray(answer));
  }

  /** Pushes messages; a busy broker asks to come again. */
  void push(List<JsonObject> items) {
    String body = new JsonObject().put("items", new JsonArray(items)).encode();
    HttpResponse<String> answer =
        await()
            .atMost(LIMIT)
            .until(() -> ask("POST", "/api/v1/push", body), each -> each.statusCode() != 503);
    if (answer.statusCode() != 201 || answer.body().contains("\"failed\"")) {
      throw new AssertionError(answer.body());
    }
  }

  static JsonObject item(String queue, String partition, String id, JsonObject payload) {
    return new JsonObject()
        .put("queue", queue)
        .put("partition", partition)
        .put("transactionId", id)
        .put("payload", payload);
  }

  /** Takes messages; empty if there are none. */
  List<JsonObject> pop(String queue, String group, int batch, int partitions) {
    HttpResponse<String> answer =
        ask(
            "GET",
            "/api/v1/pop/queue/%s?consumerGroup=%s&batch=%d&partitions=%d"
                .formatted(encoded(queue), encoded(group), batch, partitions),
            "");
    return answer.statusCode() == 204
        ? List.of()
        : new JsonObject(answer.body())
            .getJsonArray("messages").stream().map(JsonObject.class::cast).toList();
  }

  /** The same, of messages that must be there; a busy broker may need a moment. */
  List<JsonObject> take(String queue, String group, int batch, int partitions) {
    return await()
        .atMost(LIMIT)
        .until(() -> pop(queue, group, batch, partitions), taken -> !taken.isEmpty());
  }

  /** Says what became of messages of one group. */
  void ack(List<JsonObject> messages, String status, String error) {
    if (messages.isEmpty()) {
      return;
    }
    JsonArray said = new JsonArray();
    for (JsonObject message : messages) {
      JsonObject ack =
          new JsonObject()
              .put("transactionId", message.getString("transactionId"))
              .put("partitionId", message.getString("partitionId"))
              .put("leaseId", message.getString("leaseId"))
              .put("status", status);
      said.add(error.isEmpty() ? ack : ack.put("error", error));
    }
    ask(
        "POST",
        "/api/v1/ack/batch",
        new JsonObject()
            .put("consumerGroup", messages.get(0).getString("consumerGroup"))
            .put("acknowledgments", said)
            .encode());
  }

  private HttpResponse<String> ask(String method, String path, String body) {
    return send(
        HttpRequest.newBuilder(uri(path))
            .header("Authorization", "Bearer " + Tokens.of("fixture", "admin"))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build());
  }

  private HttpResponse<String> send(HttpRequest request) {
    try {
      return http.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private URI uri(String path) {
    return URI.create(url() + path);
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
  }
}
