package dev.queenmq.server.http.contract;

import static dev.queenmq.server.RunningServer.item;
import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.openapi.contract.OpenAPIContract;
import io.vertx.openapi.contract.Operation;
import io.vertx.openapi.validation.ResponseValidator;
import io.vertx.openapi.validation.ValidatableResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Holds the description of the routes against the routes. */
@ExtendWith(PostgresExtension.class)
class OpenApiIT {
  private static final String PATH = "/api/v1/openapi.json";
  private static final String ID = "6a0e8ba2-0000-4000-8000-000000000000";

  private Vertx vertx;
  private RunningServer server;
  private JsonObject served;

  @BeforeEach
  void start(TestDatabase database) {
    vertx = Vertx.vertx();
    server = RunningServer.on(database.endpoint());
    served = server.get(PATH).object();
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    await(vertx.close());
  }

  /** The broker lists what exists, with what is written about it. */
  @Test
  void everyRouteIsDescribed_andEverythingDescribedExists() throws IOException {
    JsonObject written;
    try (InputStream file = getClass().getResourceAsStream("/openapi.json")) {
      written = new JsonObject(Buffer.buffer(Objects.requireNonNull(file).readAllBytes()));
    }

    assertThat(operations(served)).isEqualTo(operations(written));
    assertThat(served.getJsonObject("paths").encode()).doesNotContain("x-undescribed");
    assertThat(served.getJsonObject("paths")).isEqualTo(written.getJsonObject("paths"));
  }

  @Test
  void description_isValid_andTellsTheVersion() {
    assertThatCode(() -> await(OpenAPIContract.from(vertx, served))).doesNotThrowAnyException();
    assertThat(served.getJsonObject("info").getString("version"))
        .isEqualTo(server.get("/health").object().getString("version"));
  }

  @Test
  void answers_areAsDescribed() {
    OpenAPIContract contract = await(OpenAPIContract.from(vertx, served));
    ResponseValidator validator = ResponseValidator.create(vertx, contract);
    compare(contract, validator, UnaryOperator.identity());

    server.push(item("billing.invoices", "p", "1"), item("billing.invoices", "p", "2"));
    String partition = server.pop("billing.invoices", "").object().getString("partitionId");
    compare(
        contract,
        validator,
        path ->
            path.replace("{queue}", "billing.invoices")
                .replace("{partition}", "p")
                .replace("{group}", "__QUEUE_MODE__")
                .replace("{traceName}", "any")
                .replace("{partitionId}", partition)
                .replace("{transactionId}", "1"));
  }

  /** So that a new route or field cannot forget to look out for misspelt names. */
  @Test
  void everyDescribedName_inOtherCase_isRefusedAndSuggested() {
    JsonObject paths = served.getJsonObject("paths");
    SoftAssertions.assertSoftly(
        softly -> {
          for (String path : paths.fieldNames()) {
            for (String method : paths.getJsonObject(path).fieldNames()) {
              JsonObject operation = paths.getJsonObject(path).getJsonObject(method);
              String target =
                  path.replace("{job}", "history")
                      .replaceAll("\\{[a-zA-Z]*Id}", ID)
                      .replaceAll("\\{[a-zA-Z]+}", "x");
              for (String name : queryParameters(operation)) {
                String asked = target + "?" + swapped(name) + "=1";
                refused(softly, ask(method, asked, "{}"), method + " " + asked, name);
              }
              for (Map.Entry<String, String> body : misspeltBodies(operation).entrySet()) {
                refused(
                    softly,
                    ask(method, target, body.getKey()),
                    method + " " + target + " " + body.getKey(),
                    body.getValue());
              }
            }
          }
        });
  }

  private static void refused(SoftAssertions softly, Answer answer, String what, String meant) {
    softly.assertThat(answer.status()).as("%s: %s", what, answer.body()).isEqualTo(400);
    softly.assertThat(answer.body()).as(what).contains("did you mean \\\"" + meant + "\\\"?");
  }

  private Answer ask(String method, String path, String body) {
    return switch (method) {
      case "get" -> server.get(path);
      case "delete" -> server.delete(path);
      default -> server.post(path, body);
    };
  }

  private static String swapped(String name) {
    return name.toUpperCase(Locale.ROOT);
  }

  private List<String> queryParameters(JsonObject operation) {
    return operation.getJsonArray("parameters", new JsonArray()).stream()
        .map(each -> resolved((JsonObject) each))
        .filter(each -> each.getString("in").equals("query"))
        .map(each -> each.getString("name"))
        .toList();
  }

  private JsonObject resolved(JsonObject schema) {
    String reference = schema.getString("$ref");
    if (reference == null) {
      return schema;
    }
    JsonObject found = served;
    for (String part : reference.substring(2).split("/", -1)) {
      found = found.getJsonObject(part);
    }
    return found;
  }

  /** Bodies with one wrong name each, and the right one. */
  private Map<String, String> misspeltBodies(JsonObject operation) {
    Map<String, String> bodies = new LinkedHashMap<>();
    JsonObject content =
        operation
            .getJsonObject("requestBody", new JsonObject())
            .getJsonObject("content", new JsonObject())
            .getJsonObject("application/json");
    if (content != null) {
      misspell(content.getJsonObject("schema"), "%s", bodies);
    }
    return bodies;
  }

  private void misspell(JsonObject given, String around, Map<String, String> bodies) {
    JsonObject schema = resolved(given);
    JsonObject fields = schema.getJsonObject("properties", new JsonObject());
    for (String name : fields.fieldNames()) {
      bodies.put(around.formatted("{\"" + swapped(name) + "\":null}"), name);
      JsonObject field = resolved(fields.getJsonObject(name));
      if (field.containsKey("items")) {
        String list = around.formatted("{\"" + name + "\":[%s]}");
        misspell(field.getJsonObject("items"), list, bodies);
      } else if (field.containsKey("properties")) {
        misspell(field, around.formatted("{\"" + name + "\":%s}"), bodies);
      }
    }
  }

  private static void compareOne(ResponseValidator validator, Operation operation, Answer answer) {
    String type = answer.http().headers().firstValue("content-type").orElse("");
    ValidatableResponse response =
        answer.status() == 204
            ? ValidatableResponse.create(204)
            : ValidatableResponse.create(answer.status(), Buffer.buffer(answer.body()), type);
    assertThatCode(() -> await(validator.validate(response, operation.getOperationId())))
        .as("%s: %s %s", operation.getOperationId(), answer.status(), answer.body())
        .doesNotThrowAnyException();
  }

  /** Asks every route that only reads and whose path is known. */
  private void compare(
      OpenAPIContract contract, ResponseValidator validator, UnaryOperator<String> fill) {
    for (Operation operation : contract.operations()) {
      String path = fill.apply(operation.getOpenAPIPath());
      if (operation.getHttpMethod().equals(HttpMethod.GET) && !path.contains("{")) {
        Answer answer = server.get(path.equals("/api/v1/pop") ? path + "?namespace=n" : path);
        if (!path.equals("/metrics/prometheus")) {
          compareOne(validator, operation, answer);
        }
        assertThat(answer.status()).as(path).isBetween(200, 204);
      }
    }
  }

  private static Set<String> operations(JsonObject description) {
    Set<String> operations = new TreeSet<>();
    JsonObject paths = description.getJsonObject("paths");
    for (String path : paths.fieldNames()) {
      for (String method : paths.getJsonObject(path).fieldNames()) {
        operations.add(path + " " + method);
      }
    }
    return operations;
  }
}
