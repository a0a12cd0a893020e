package dev.queenmq.server.http.contract;

import static dev.queenmq.server.RunningServer.ackItem;
import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** What becomes of input, good and bad: the rows of {@code strict-input.table}. */
class StrictInputIT extends ContractFixture {
  private static final Pattern REQUEST =
      Pattern.compile("(GET|POST|DELETE) (\\S+)(?: \\[([^:]+): ([^]]+)])?");

  /** Words of what the broker is made of. */
  private static final List<String> OURS =
      List.of(
          "jackson",
          "java.",
          "exception",
          "feature",
          "token '",
          "vertx",
          "netty",
          "postgres",
          "sql");

  private final HttpClient http = HttpClient.newHttpClient();

  /** A line of the table. */
  private record Row(String request, String body, int status, String text) {
    static Row of(String line) {
      String[] cells = line.split(" \\|(?: |$)", -1);
      if (cells.length != 4) {
        throw new IllegalArgumentException(cells.length + " cells: " + line);
      }
      return new Row(cells[0], cells[1], Integer.parseInt(cells[2]), cells[3].strip());
    }
  }

  private static List<Row> rows() throws IOException {
    try (InputStream file = StrictInputIT.class.getResourceAsStream("strict-input.table")) {
      String text = new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
      return text.lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(Row::of)
          .toList();
    }
  }

  @Test
  void input_isAnsweredAsTheTableSays() throws IOException {
    List<Row> rows = rows();
    assertThat(rows).hasSizeGreaterThanOrEqualTo(150);
    SoftAssertions.assertSoftly(
        softly -> {
          for (Row row : rows) {
            nextQueue();
            Answer answer = ask(row);
            String what = row + " was answered " + answer.status() + " " + answer.body();
            softly.assertThat(answer.status()).as(what).isEqualTo(row.status());
            softly.assertThat(answer.body()).as(what).contains(row.text());
            if (answer.status() >= 400) {
              softly.assertThat(answer.error()).as(what).isNotBlank();
              softly
                  .assertThat(OURS)
                  .as(what)
                  .noneMatch(word -> answer.error().toLowerCase(Locale.ROOT).contains(word));
            }
          }
        });
  }

  /** A status that is not understood completes nothing, in none of the three routes. */
  @Test
  void refusedAck_leavesTheMessageToItsConsumer() {
    server.push(item(q, "p", "t"));
    JsonObject message = server.pop(q, "").messages().get(0);
    JsonObject bad = ackItem(message, "completed").put("status", false);

    assertThat(server.post("/api/v1/ack", bad).status()).isEqualTo(400);
    assertThat(
            server
                .post(
                    "/api/v1/ack/batch",
                    new JsonObject().put("acknowledgments", new JsonArray().add(bad)))
                .status())
        .isEqualTo(400);
    assertThat(transaction(bad.copy().put("type", "ack")).status()).isEqualTo(400);

    Answer retried = server.ack(message, "retry");
    assertThat(retried.array().getJsonObject(0).getBoolean("success")).isTrue();
    assertThat(server.pop(q, "").transactionIds()).containsExactly("t");
  }

  /** What a pop gives can be pushed as it is: data is the payload. */
  @Test
  void poppedMessage_canBePushedAndAckedAsItIs() {
    server.push(item(q, "p", "t"));
    JsonObject message = server.pop(q, "").messages().get(0);

    Answer pushed = server.push(message.copy().put("queue", q + "-copy"));
    Answer acked = server.post("/api/v1/ack", message);

    assertThat(pushed.array().getJsonObject(0).getString("status")).isEqualTo("queued");
    assertThat(acked.array().getJsonObject(0).getBoolean("success")).isTrue();
    JsonObject copy = server.pop(q + "-copy", "").messages().get(0);
    assertThat(copy.getJsonObject("data")).isEqualTo(message.getJsonObject("data"));
    assertThat(copy.getString("partition")).isEqualTo("p");
  }

  @Test
  void refusedPush_storesNothingOfItsItems() {
    Answer refused = server.push(item(q, "p", "t"), item(q, "p", "u").put("partiton", "p"));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(server.get("/api/v1/resources/queues/" + q).status()).isEqualTo(404);
  }

  /** An earlier release has let such names in. */
  @Test
  void badlyNamedQueue_canBeLookedAtAndDeleted() {
    database.query(
        "insert into queen.queues (name, namespace, task) values (E'bad\\nname', '', '')");
    String path = "/api/v1/resources/queues/bad%0Aname";

    assertThat(server.get(path).object().getString("name")).isEqualTo("bad\nname");
    assertThat(server.delete(path).object().getBoolean("deleted")).isTrue();
    assertThat(server.get(path).status()).isEqualTo(404);
  }

  private Answer ask(Row row) {
    String request = row.request().replace("{q}", q);
    String body = row.body().replace("{q}", q);
    String other = UUID.randomUUID().toString();
    request = request.replace("{other}", other);
    body = body.replace("{other}", other);
    if ((request + body).matches("(?s).*\\{[mtpl]}.*")) {
      server.push(item(q, "Default", "t-" + q));
      JsonObject message = server.pop(q, "").messages().get(0);
      String id = message.getString("transactionId");
      String partition = message.getString("partitionId");
      String lease = message.getString("leaseId");
      request = request.replace("{t}", id).replace("{p}", partition).replace("{l}", lease);
      body =
          body.replace(
                  "{m}",
                  "\"transactionId\":\"%s\",\"partitionId\":\"%s\",\"leaseId\":\"%s\""
                      .formatted(id, partition, lease))
              .replace("{t}", id)
              .replace("{p}", partition)
              .replace("{l}", lease);
    }
    return send(request, body);
  }

  private Answer send(String request, String body) {
    Matcher parts = REQUEST.matcher(request);
    assertThat(parts.matches()).as(request).isTrue();
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + parts.group(2)))
            .method(
                parts.group(1),
                body.equals("-") ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (parts.group(3) != null) {
      builder.header(parts.group(3), parts.group(4));
    }
    return http.sendAsync(builder.build(), BodyHandlers.ofString())
        .thenApply(answer -> new Answer(answer.statusCode(), answer.body(), answer))
        .join();
  }
}
