package dev.queenmq.server.http.contract;

import static dev.queenmq.server.auth.TestTokens.SECRET;
import static dev.queenmq.server.auth.TestTokens.claims;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.ServerProcess;
import dev.queenmq.server.auth.AuthClient;
import dev.queenmq.server.auth.LimitedCases;
import dev.queenmq.server.config.values.PostgresEndpoint;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * An escape sequence, a line break and a forged log line in every text that a client can choose, on
 * every route, and then a look for them in everything that the broker writes.
 */
@ExtendWith(PostgresExtension.class)
class ChosenTextsIT {
  private static final String FORGED = "2026-11-15T12:00:00.000Z WARN  audit: forged";
  private static final String EVIL =
      "x\r\n" + FORGED + "\u001b[2J\u009b2J\u0085\u2028\u202etxet\u2066";
  private static final Pattern RAW =
      Pattern.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]");

  /** In JSON, texts of clients stand between quotes as they came, but for what breaks lines. */
  private static final Pattern RAW_IN_JSON = Pattern.compile("[\\x00-\\x08\\x0b-\\x1f]");

  private static final List<String> QUERIES =
      List.of(
          "queue",
          "consumerGroup",
          "namespace",
          "task",
          "partition",
          "status",
          "from",
          "subscriptionFrom",
          "noSuchThing");

  private final List<String> answers = new ArrayList<>();

  @TempDir private Path folder;

  @Test
  void noText_isWrittenAsItCame(TestDatabase database) throws Exception {
    for (String format : List.of("text", "json")) {
      try (ServerProcess process =
          ServerProcess.startLogging(folder, environment(database.endpoint(), format))) {
        AuthClient client = AuthClient.of(process.port(), claims(EVIL, "admin"));
        JsonObject popped = prepare(client);
        sayEverywhere(client, popped, format.equals("text") ? QUERIES : QUERIES.subList(0, 1));
        sayRaw(process.port());
        lookAtPages(client);
        assertThat(process.output()).containsIgnoringCase("\\u001b[2J").contains("audit");
        assertNothingRaw(format, process.output(), RAW);
      }
      if (format.equals("text")) {
        renameLikeAnEarlierRelease(database);
      }
    }
    assertThat(answers).anyMatch(answer -> answer.contains("old\\\\u000d\\\\u000a" + FORGED));
    answers.forEach(
        answer ->
            assertNothingRaw(
                "answer",
                answer,
                answer.startsWith("{") || answer.startsWith("[") ? RAW_IN_JSON : RAW));
  }

  /** Names were not always checked: pages and metrics must stand what is there. */
  private static void renameLikeAnEarlierRelease(TestDatabase database) {
    database.query(
        "update queen.queues set name = 'old' || chr(13) || chr(10) || '"
            + FORGED
            + "' || chr(27) || '[2J' where name = 'victim'");
  }

  private static Map<String, String> environment(PostgresEndpoint endpoint, String format) {
    return Map.of(
        "PG_HOST", endpoint.host(),
        "PG_PORT", Integer.toString(endpoint.port()),
        "PG_DB", endpoint.database(),
        "PG_USER", endpoint.user(),
        "PG_PASSWORD", endpoint.password().value(),
        "LOG_LEVEL", "trace",
        "LOG_FORMAT", format,
        "JWT_ENABLED", "true",
        "JWT_SECRET", SECRET);
  }

  /** Messages whose ids, errors and traces may be any text. */
  private JsonObject prepare(AuthClient client) {
    String push = new JsonObject().put("queue", "victim").put("transactionId", EVIL).encode();
    assertThat(client.post("/api/v1/push", "{\"items\":[" + push + "]}").status()).isEqualTo(201);
    client.post("/api/v1/push", "{\"items\":[{\"queue\":\"lim\",\"transactionId\":\"t\"}]}");
    client.post(
        "/api/v1/configure", "{\"queue\":\"victim\",\"options\":{\"deadLetterQueue\":true}}");
    JsonObject bad = popped(client, "victim");
    client.post(
        "/api/v1/ack",
        new JsonObject()
            .put("transactionId", EVIL)
            .put("partitionId", bad.getString("partitionId"))
            .put("leaseId", bad.getString("leaseId"))
            .put("status", "dlq")
            .put("error", EVIL)
            .encode());
    return popped(client, "lim");
  }

  private static JsonObject popped(AuthClient client, String queue) {
    Answer answer =
        client.get("/api/v1/pop/queue/" + queue + "?consumerGroup=g" + System.nanoTime());
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.object().getJsonArray("messages").getJsonObject(0);
  }

  private void sayEverywhere(AuthClient client, JsonObject popped, List<String> queries) {
    String encoded = URLEncoder.encode(EVIL, StandardCharsets.UTF_8).replace("+", "%20");
    for (LimitedCases.Case each : LimitedCases.all()) {
      String method = each.route().substring(0, each.route().indexOf(' '));
      String path = each.route().substring(method.length() + 1);
      if (path.startsWith("/api/v1/system/maintenance")) {
        continue;
      }
      String plain = path.replaceAll("\\{[^}]*}", "any");
      keep(client.ask(method, path.replaceAll("\\{[^}]*}", encoded), each.body()));
      for (String name : queries) {
        keep(client.ask(method, plain + "?" + name + "=" + encoded, ""));
      }
      keep(client.ask(method, plain + "?" + encoded + "=1", ""));
      for (String body : bodies(each.body(), popped)) {
        keep(client.ask(method, plain, body));
      }
    }
  }

  /** The same body with each of its texts and names of fields replaced, one after the other. */
  private static List<String> bodies(String body, JsonObject popped) {
    List<String> all = new ArrayList<>();
    if (body.isEmpty()) {
      return all;
    }
    String filled =
        body.replace("QUEUE", "lim")
            .replace("PARTITION", popped.getString("partitionId"))
            .replace("LEASE", popped.getString("leaseId"));
    int texts = replace(new JsonObject(filled), -1, 0);
    for (int i = 0; i < texts; i++) {
      JsonObject copy = new JsonObject(filled);
      replace(copy, i, 0);
      all.add(copy.encode());
    }
    JsonObject more = new JsonObject(filled);
    all.add(more.copy().put(EVIL, EVIL).encode());
    for (String name :
        List.of("error", "status", "consumerGroup", "namespace", "task", "eventType")) {
      all.add(more.copy().put(name, EVIL).encode());
    }
    all.add(more.copy().put("traceNames", new JsonArray().add(EVIL)).encode());
    all.add(filled + EVIL);
    return all;
  }

  private static int replace(JsonObject object, int which, int seen) {
    int count = seen;
    for (String name : List.copyOf(object.fieldNames())) {
      Object value = object.getValue(name);
      if (value instanceof String && count++ == which) {
        object.put(name, EVIL);
      } else if (value instanceof JsonObject inner) {
        count = replace(inner, which, count);
      } else if (value instanceof JsonArray array) {
        for (Object each : array) {
          count = each instanceof JsonObject inner ? replace(inner, which, count) : count;
        }
      }
    }
    return count;
  }

  /** What clients of HTTP libraries cannot send. */
  private static void sayRaw(int port) throws IOException {
    String bytes = "x\u001b[2J\u009b2J";
    for (String head :
        List.of(
            "GET /api/v1/pop/queue/" + bytes + " HTTP/1.1\r\nHost: x\r\n",
            "GET /" + bytes + " HTTP/1.1\r\nHost: x\r\n",
            bytes + " /health HTTP/1.1\r\nHost: x\r\n",
            "GET /health " + bytes + "\r\nHost: x\r\n",
            "GET /health HTTP/1.1\r\nHost: " + bytes + "\r\n",
            "GET /health HTTP/1.1\r\nHost: x\r\n" + bytes + ": 1\r\n",
            header("User-Agent", bytes),
            header("Authorization", "Bearer " + bytes),
            header("Origin", bytes),
            header("Referer", bytes),
            header("X-Forwarded-For", bytes),
            header("X-Forwarded-Host", bytes),
            header("Idempotency-Key", bytes),
            header("Content-Length", bytes),
            header("Content-Encoding", bytes))) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.setSoTimeout(60_000);
        socket
            .getOutputStream()
            .write((head + "Connection: close\r\n\r\n").getBytes(StandardCharsets.UTF_8));
        String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(answer).as(head).startsWith("HTTP/1.");
        assertNothingRaw(head, answer.replace("\r\n", "\n"), RAW);
      }
    }
  }

  private static String header(String name, String value) {
    return "GET /api/v1/status HTTP/1.1\r\nHost: x\r\n" + name + ": " + value + "\r\n";
  }

  private void lookAtPages(AuthClient client) {
    JsonObject paths = client.get("/api/v1/openapi.json").object().getJsonObject("paths");
    for (String path : paths.fieldNames()) {
      if (paths.getJsonObject(path).containsKey("get")) {
        keep(client.get(path.replace("{queue}", "lim").replaceAll("\\{[^}]*}", "any")));
      }
    }
  }

  private void keep(Answer answer) {
    answers.add(answer.body());
  }

  private static void assertNothingRaw(String what, String text, Pattern raw) {
    assertThat(
            raw.matcher(text)
                .results()
                .map(
                    r ->
                        text.substring(
                            Math.max(0, r.start() - 200), Math.min(text.length(), r.end() + 50)))
                .findFirst())
        .as(what)
        .isEmpty();
    assertThat(text.lines()).as(what).noneMatch(line -> line.strip().startsWith(FORGED));
  }
}
