package dev.queenmq.spring.sample;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.client.QueenClient;
import dev.queenmq.spring.QueenTemplate;
import dev.queenmq.spring.test.ImportEmbeddedQueen;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;

/** The sample application works, as a whole. Spring Boot 3 runs this too. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@ImportEmbeddedQueen
class SampleIT {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final HttpClient http = HttpClient.newHttpClient();

  @Autowired QueenTemplate queen;
  @Autowired QueenClient client;
  @Autowired Kitchen kitchen;
  @Autowired Archive archive;

  @Value("${local.server.port}")
  int port;

  @Test
  void ordersAreBrewed_billed_andArchived() throws Exception {
    assertThat(order("{\"id\":17,\"customer\":\"81\",\"item\":\"tea\"}")).isEqualTo("QUEUED");
    assertThat(order("{\"id\":18,\"customer\":\"81\",\"item\":\"\"}")).isEqualTo("QUEUED");
    assertThat(order("{\"id\":19,\"customer\":\"81\",\"item\":\"cake\"}")).isEqualTo("QUEUED");
    assertThat(order("{\"id\":19,\"customer\":\"81\",\"item\":\"cake\"}")).isEqualTo("DUPLICATE");

    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> ids(kitchen.brewed()).size() == 2 && ids(archive.archived()).size() == 3);
    assertThat(ids(kitchen.brewed())).containsExactly(17, 19);
    assertThat(ids(archive.archived())).containsExactly(17, 18, 19);
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> client.queue("orders").group("kitchen").dlq().list(10, 0).total() == 1);

    List<Integer> invoiced = new ArrayList<>();
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> {
              queen
                  .receive("invoices", null, Invoice.class, Duration.ofSeconds(1))
                  .ifPresent(invoice -> invoiced.add(invoice.order()));
              return invoiced.containsAll(List.of(17, 18, 19));
            });

    assertThat(get("/actuator/health")).contains("\"queen\":{").doesNotContain("DOWN");
    assertThat(get("/actuator/metrics/queen.client.handled")).contains("\"kitchen\"");
    assertThat(get("/actuator/metrics/queen.process")).contains("\"orders\"");
  }

  /** Only ours: the other test orders as well. */
  private static List<Integer> ids(List<Order> orders) {
    return orders.stream().filter(order -> order.customer().equals("81")).map(Order::id).toList();
  }

  private String order(String json) throws Exception {
    return send(
        HttpRequest.newBuilder(uri("/orders"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build());
  }

  private String get(String path) throws Exception {
    return send(HttpRequest.newBuilder(uri(path)).build());
  }

  private String send(HttpRequest request) throws Exception {
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }
}
