package dev.queenmq.server.http.server;

import static dev.queenmq.server.http.server.RawClient.post;
import static dev.queenmq.server.http.server.RawClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.broker.BrokerException;
import dev.queenmq.server.model.RenewOutcome;
import java.io.IOException;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests and what is answered to them: the mechanics of HTTP. */
class HttpFrontTest extends HttpFrontFixture {
  private RawClient.Answer ask(String text) throws IOException {
    try (RawClient client = new RawClient(front.port())) {
      client.send(text);
      return client.receive();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "GET,/nothing",
    "GET,/",
    "GET,/api/v1/push/",
    "POST,/health/",
    "GET,/api/v1/pop/queue/",
    "GET,/api/v1/pop/queue//partition/p",
    "GET,//api/v1/pop",
    "PUT,/nothing"
  })
  void unknownPath_isNotFound(String method, String path) throws Exception {
    RawClient.Answer answer = ask(request(method, path));
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.body()).isEqualTo("{\"error\":\"Not Found\"}");
    assertThat(answer.head())
        .contains("content-type: application/json", "access-control-allow-origin: *");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET|/api/v1/push|post",
        "POST|/health|get, head",
        "HEAD|/api/v1/pop/queue/q|get",
        "GET|/api/v1/resources/queues/q|delete"
      })
  void wrongMethod_isNotAllowed(String method, String path, String allowed) throws Exception {
    try (RawClient client = new RawClient(front.port())) {
      client.send(request(method, path));
      RawClient.Answer answer = client.receiveHead();
      assertThat(answer.status()).isEqualTo(405);
      assertThat(answer.head()).contains("\r\nallow: " + allowed + "\r\n");
    }
  }

  @Test
  void options_isAnsweredForAnyPath() throws Exception {
    RawClient.Answer answer = ask(request("OPTIONS", "/what/ever"));
    assertThat(answer.status()).isEqualTo(204);
    assertThat(answer.head())
        .contains(
            "access-control-allow-origin: *",
            "access-control-allow-methods: get, post, put, delete, options",
            "access-control-allow-headers: content-type, authorization",
            "access-control-max-age: 86400");
  }

  @Test
  void defects_areAnsweredAsSuch() throws Exception {
    assertThat(ask(request("GET", "/boom")).body()).isEqualTo("{\"error\":\"Internal error\"}");
    RawClient.Answer answer = ask(post("/api/v1/configure", "{\"queue\":\"q\"}"));
    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.body()).isEqualTo("{\"error\":\"Internal error\"}");
  }

  @ParameterizedTest
  @CsvSource({
    "OVERLOADED,503,too much",
    "STOPPING,503,too much",
    "UNAVAILABLE,503,too much",
    "INTERNAL,500,Internal error"
  })
  void refusals_haveTheirStatus(BrokerException.Kind kind, int status, String text)
      throws Exception {
    broker.failure = new BrokerException(kind, "too much");
    RawClient.Answer answer = ask(push("q"));
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.body()).isEqualTo("{\"error\":\"" + text + "\"}");
    assertThat(answer.head().contains("\r\nretry-after: 1\r\n")).isEqualTo(status == 503);
  }

  @ParameterizedTest
  @CsvSource({"OVERLOADED,503", "STOPPING,503", "UNAVAILABLE,204", "INTERNAL,500"})
  void pop_doesNotShowPassingFaults(BrokerException.Kind kind, int status) throws Exception {
    broker.failure = new BrokerException(kind, "too much");
    assertThat(ask(request("GET", "/api/v1/pop/queue/q")).status()).isEqualTo(status);
  }

  @ParameterizedTest
  @CsvSource({"%F0%9F%98%80,\ud83d\ude00", "a%20b+c%2Fd,a b+c/d", "\u00fc,\u00fc", "a%2525,a%25"})
  void pathParameters_areDecoded(String path, String name) throws Exception {
    assertThat(ask(request("DELETE", "/api/v1/resources/queues/" + path)).body())
        .isEqualTo("{\"deleted\":true,\"queue\":\"" + name + "\",\"existed\":true}");
    assertThat(broker.deleted).containsExactly(name);
  }

  @ParameterizedTest
  @CsvSource({"%", "%4", "%zz", "%ff", "a%+1"})
  void pathParameters_mustBeWellFormed(String path) throws Exception {
    RawClient.Answer answer = ask(request("DELETE", "/api/v1/resources/queues/" + path));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body()).isEqualTo("{\"error\":\"The path is not percent-encoded UTF-8\"}");
  }

  @Test
  void longestNames_fitIntoARequest() throws Exception {
    String path = "/api/v1/pop/queue/" + "%F0%9F%98%80".repeat(255) + "/partition/";
    try (RawClient client = new RawClient(front.port())) {
      client.send(request("GET", path + "%F0%9F%98%80".repeat(255)));
      onlyPoll().answer.complete(message());
      assertThat(client.receive().status()).isEqualTo(200);
    }
  }

  @Test
  void tooLongRequestLine_is414() throws Exception {
    assertInvalid(
        request("GET", "/" + "x".repeat(17_000)),
        414,
        "Request line is longer than the limit of 16384 bytes");
  }

  @Test
  void tooLargeHeaders_are431() throws Exception {
    assertInvalid(
        "GET / HTTP/1.1\r\nHost: " + "x".repeat(17_000) + "\r\n\r\n",
        431,
        "Request headers are larger than the limit of 16384 bytes");
    assertThat(ask("GET / HTTP/1.1\r\nHost: x\r\nA: " + "x".repeat(12_000) + "\r\n\r\n").status())
        .isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u0001\u0002\r\n\r\n",
        "GET\r\n\r\n",
        "GET / HTTP/9.x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nbad name: y\r\n\r\n",
        "POST /api/v1/push HTTP/1.1\r\nHost: x\r\nContent-Length: some\r\n\r\n"
      })
  void whatIsNotHttp_is400(String text) throws Exception {
    assertInvalid(text, 400, "The request is not valid HTTP");
  }

  private void assertInvalid(String text, int status, String error) throws IOException {
    try (RawClient client = new RawClient(front.port())) {
      client.send(text);
      RawClient.Answer answer = client.receive();
      assertThat(answer.status()).isEqualTo(status);
      assertThat(answer.body()).isEqualTo("{\"error\":\"" + error + "\"}");
      assertThat(answer.head())
          .contains(
              "content-type: application/json",
              "connection: close",
              "access-control-allow-origin: *");
      assertThat(client.isClosedByServer()).isTrue();
    }
  }

  @Test
  void health_hasAllFieldsOfTheContract() throws Exception {
    RawClient.Answer answer = ask(request("GET", "/health"));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body())
        .isEqualTo(
            "{\"database\":\"connected\",\"queen\":{\"status\":\"active\",\"worker_id\":3},"
                + "\"server\":\"Queen MQ for Java\",\"shared_state\":{},\"status\":\"healthy\","
                + "\"version\":\"1\",\"worker_id\":3}");
  }

  @Test
  void emptyBody_isRefused_butNotForALease() throws Exception {
    assertThat(ask(post("/api/v1/push", "")).body())
        .isEqualTo("{\"error\":\"Empty request body\"}");
    RawClient.Answer lease = ask(post("/api/v1/lease/" + new UUID(1, 2) + "/extend", ""));
    assertThat(lease.status()).isEqualTo(404);
    assertThat(lease.body()).contains("\"error\":\"Lease not found\"");
    broker.renewal = new RenewOutcome.Expired();
    assertThat(ask(post("/api/v1/lease/" + new UUID(1, 2) + "/extend", "[]")).status())
        .isEqualTo(409);
    assertThat(ask(post("/api/v1/lease/none/extend", "{}")).status()).isEqualTo(404);
  }

  @Test
  void push_isCreated_evenOfNothing() throws Exception {
    assertThat(ask(push("q")).status()).isEqualTo(201);
    RawClient.Answer nothing = ask(post("/api/v1/push", "{\"items\":[]}"));
    assertThat(nothing.status()).isEqualTo(201);
    assertThat(nothing.body()).isEqualTo("[]");
    assertThat(ask(post("/api/v1/ack/batch", "{\"acknowledgments\":[]}")).body()).isEqualTo("[]");
  }
}
