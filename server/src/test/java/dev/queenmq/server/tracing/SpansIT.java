package dev.queenmq.server.tracing;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.queenmq.server.RunningServer;
import dev.queenmq.server.ServerProcess;
import dev.queenmq.server.config.values.PostgresEndpoint;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Spans of a broker, as a collector gets them over HTTP; and none of it while it is off. */
@ExtendWith(PostgresExtension.class)
class SpansIT {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00f067aa0ba902b7";

  private static final List<JsonObject> RECEIVED = new CopyOnWriteArrayList<>();
  private static final List<String> TOKENS = new CopyOnWriteArrayList<>();

  @SuppressWarnings("NullAway.Init") // before all tests
  private static HttpServer collector;

  @SuppressWarnings("NullAway.Init") // before all tests
  private static RunningServer broker;

  @SuppressWarnings("NullAway.Init") // before all tests
  private static PostgresEndpoint postgres;

  @BeforeAll
  static void start(TestDatabase database) throws IOException {
    collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext(
        "/v1/traces",
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          TOKENS.add(String.valueOf(exchange.getRequestHeaders().getFirst("x-token")));
          RECEIVED.add(new JsonObject(body));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
    postgres = database.endpoint();
    broker =
        RunningServer.on(
            postgres,
            Map.of(
                "OTEL_TRACES_EXPORTER", "otlp",
                "OTEL_EXPORTER_OTLP_ENDPOINT",
                    "http://127.0.0.1:" + collector.getAddress().getPort(),
                "OTEL_EXPORTER_OTLP_HEADERS", "x-token=a%20b",
                "OTEL_SERVICE_NAME", "hive",
                "OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=test",
                "OTEL_BSP_SCHEDULE_DELAY", "20"));
  }

  @AfterAll
  static void stop() throws IOException {
    broker.close();
    collector.stop(0);
  }

  @Test
  void push_pop_ack_areSpans_withTheirCallsOfPostgres() throws Exception {
    String answer =
        post(
            "/api/v1/push",
            new JsonObject().put("items", new JsonArray().add(item("spans", "p", "one"))),
            "00-" + TRACE + "-" + PARENT + "-01");
    UUID messageId =
        UUID.fromString(new JsonArray(answer).getJsonObject(0).getString("message_id"));
    JsonObject popped = broker.pop("spans", "consumerGroup=mailer").messages().get(0);
    broker.ack(popped, "completed");

    JsonObject push = span("push spans");
    assertThat(push.getString("traceId")).isEqualTo(TRACE);
    assertThat(push.getString("parentSpanId")).isEqualTo(PARENT);
    assertThat(push.getInteger("kind")).isEqualTo(2);
    assertThat(attributes(push))
        .containsEntry("messaging.destination.name", "spans")
        .containsEntry("messaging.batch.message_count", "1")
        .containsEntry("http.response.status_code", "201");
    assertThat(Long.parseLong(push.getString("endTimeUnixNano")))
        .isGreaterThan(Long.parseLong(push.getString("startTimeUnixNano")));

    JsonObject call = childOf(push, "postgresql push");
    assertThat(call.getString("traceId")).isEqualTo(TRACE);
    assertThat(call.getInteger("kind")).isEqualTo(3);
    assertThat(attributes(call)).containsEntry("db.system.name", "postgresql");

    // The message carries the trace: its consumer finds it, and its pop has a link to it.
    assertThat(popped.getString("traceId").replace("-", "")).isEqualTo(TRACE);
    JsonObject created = childOf(push, "create spans");
    assertThat(created.getString("spanId"))
        .isEqualTo(String.format("%016x", messageId.getLeastSignificantBits()));
    JsonObject pop = span("pop spans");
    assertThat(links(pop)).containsExactly(TRACE + "/" + created.getString("spanId"));
    assertThat(attributes(pop)).containsEntry("messaging.consumer.group.name", "mailer");
    childOf(pop, "postgresql pop");

    JsonObject ack = span("ack spans");
    assertThat(links(ack))
        .containsExactly(pop.getString("traceId") + "/" + pop.getString("spanId"));
    childOf(ack, "postgresql ack");

    assertThat(TOKENS).containsOnly("a b");
    JsonObject resource = RECEIVED.get(0).getJsonArray("resourceSpans").getJsonObject(0);
    assertThat(attributes(resource.getJsonObject("resource")))
        .containsEntry("service.name", "hive")
        .containsEntry("deployment.environment", "test");
  }

  @Test
  void messageOfOurClient_bringsItsProducer_asParentOfThePushAndLinkOfThePop() {
    UUID trace = UUID.fromString("11111111-2222-4333-8444-555555555555");
    broker.push(
        item("produced", "p", "id~00000000000000aa-01").put("traceId", trace.toString()),
        item("produced", "p", "id~00000000000000bb-01").put("traceId", trace.toString()));
    broker.pop("produced", "batch=10");

    JsonObject push = span("push produced");
    String text = trace.toString().replace("-", "");
    assertThat(push.getString("traceId")).isEqualTo(text);
    assertThat(push.getString("parentSpanId")).isEqualTo("00000000000000aa");
    assertThat(links(push)).containsExactly(text + "/00000000000000bb");
    assertThat(links(span("pop produced")))
        .containsExactly(text + "/00000000000000aa", text + "/00000000000000bb");
  }

  @Test
  void callerThatKeepsNothing_andPopThatGetsNothing_makeNoSpans() throws Exception {
    post(
        "/api/v1/push",
        new JsonObject().put("items", new JsonArray().add(item("unkept", "p", "one"))),
        "00-" + TRACE + "-" + PARENT + "-00");
    broker.pop("vacant", "");
    assertThat(broker.push(item("after", "p", "one")).status()).isEqualTo(201);

    // What comes later is there, so what was before would be.
    span("push after");
    assertThat(spans().map(each -> each.getString("name")))
        .doesNotContain("push unkept", "pop vacant");
  }

  @Test
  void failure_isAnError() throws Exception {
    post("/api/v1/push", new JsonObject().put("items", 1), "00-" + TRACE + "-00000000000000cc-01");

    JsonObject push =
        await(each -> "00000000000000cc".equals(each.getString("parentSpanId")), "push");
    assertThat(attributes(push)).containsEntry("http.response.status_code", "400");
    assertThat(push.containsKey("status")).isFalse();
  }

  /** What is not loaded can neither take time nor memory. */
  @Test
  void withoutTracing_noneOfItsClassesIsLoaded(@TempDir Path folder) throws Exception {
    Path classes = folder.resolve("classes.txt");
    Map<String, String> environment = new HashMap<>();
    environment.put("JAVA_TOOL_OPTIONS", "-Xlog:class+load:file=" + classes);
    environment.put("PG_HOST", postgres.host());
    environment.put("PG_PORT", Integer.toString(postgres.port()));
    environment.put("PG_DB", postgres.database());
    environment.put("PG_USER", postgres.user());
    environment.put("PG_PASSWORD", postgres.password().value());
    environment.put("NUM_WORKERS", "1");
    try (ServerProcess process = ServerProcess.start(folder, environment)) {
      RunningServer off = RunningServer.at(process.port());
      off.push(item("off", "p", "one"));
      off.ack(off.pop("off", "").messages().get(0), "completed");
    }

    List<String> loaded;
    try (Stream<String> lines = Files.lines(classes)) {
      loaded = lines.filter(line -> line.contains("dev.queenmq.server.")).toList();
    }
    assertThat(loaded)
        .anyMatch(line -> line.contains("dev.queenmq.server.http.messages.PopHandler"));
    assertThat(loaded)
        .noneMatch(line -> line.contains("dev.queenmq.server.tracing."))
        .noneMatch(line -> line.contains("TracedRoutes"));
  }

  private static String post(String path, JsonObject body, String traceparent) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + broker.port() + path))
                .header("Content-Type", "application/json")
                .header("traceparent", traceparent)
                .POST(BodyPublishers.ofString(body.encode()))
                .build(),
            BodyHandlers.ofString())
        .body();
  }

  private static JsonObject span(String name) {
    return await(each -> true, name);
  }

  private static JsonObject childOf(JsonObject parent, String name) {
    return await(each -> parent.getString("spanId").equals(each.getString("parentSpanId")), name);
  }

  private static JsonObject await(Predicate<JsonObject> condition, String name) {
    return Awaitility.await()
        .until(
            () ->
                spans()
                    .filter(each -> each.getString("name").equals(name))
                    .filter(condition)
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  private static Stream<JsonObject> spans() {
    return RECEIVED.stream()
        .flatMap(body -> objects(body, "resourceSpans"))
        .flatMap(resource -> objects(resource, "scopeSpans"))
        .flatMap(scope -> objects(scope, "spans"));
  }

  private static List<String> links(JsonObject span) {
    return objects(span, "links")
        .map(link -> link.getString("traceId") + "/" + link.getString("spanId"))
        .toList();
  }

  private static Map<String, String> attributes(JsonObject owner) {
    Map<String, String> attributes = new HashMap<>();
    objects(owner, "attributes")
        .forEach(
            each ->
                attributes.put(
                    each.getString("key"),
                    String.valueOf(each.getJsonObject("value").iterator().next().getValue())));
    return attributes;
  }

  private static Stream<JsonObject> objects(JsonObject owner, String field) {
    return owner.getJsonArray(field, new JsonArray()).stream().map(JsonObject.class::cast);
  }
}
