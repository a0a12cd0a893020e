package dev.queenmq.server;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.queenmq.server.config.HttpConfig;
import dev.queenmq.server.config.PostgresSource;
import dev.queenmq.server.config.ServerConfig;
import dev.queenmq.server.config.SessionConfig;
import dev.queenmq.server.config.values.LogLevel;
import dev.queenmq.server.testing.Empty;
import dev.queenmq.server.testing.FaultyProxy;
import dev.queenmq.server.testing.FaultyProxy.Fault;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(PostgresExtension.class)
class QueenServerIT {

  private final HttpClient http = HttpClient.newHttpClient();
  private FaultyProxy line;
  private QueenServer server;
  private int port;

  @BeforeEach
  void start(@Empty TestDatabase database) {
    line = new FaultyProxy(database.vertx(), database.endpoint(), Fault.NONE);
    server =
        new QueenServer(
            new ServerConfig(
                new HttpConfig("127.0.0.1", 0),
                LogLevel.INFO,
                new PostgresSource.External(line.endpoint(), true),
                SessionConfig.defaults(),
                Duration.ofSeconds(20)),
            text -> {});
    port = await(server.start());
  }

  @AfterEach
  void stop() {
    await(server.stop());
    line.close();
  }

  @Test
  void health_isUnhealthy_whileDatabaseIsAway() throws Exception {
    await().until(() -> get("/health").statusCode() == 200);

    line.set(Fault.SILENT);
    line.cut();

    HttpResponse<String> away = get("/health");
    assertThat(away.statusCode()).isEqualTo(503);
    assertThat(away.body())
        .contains("\"status\":\"unhealthy\"", "\"database\":\"disconnected\"", "\"server\":")
        .containsPattern("\"database_error\":\"(no answer in time|the connection was closed)\"");
    assertThat(get("/health/ready").statusCode()).isEqualTo(503);
    assertThat(get("/health/live").statusCode()).isEqualTo(200);

    line.set(Fault.NONE);
    await().until(() -> get("/health").statusCode() == 200);
  }

  @Test
  void health_answersGetOnly() throws Exception {
    HttpRequest post =
        HttpRequest.newBuilder(uri("/health")).POST(BodyPublishers.ofString("{}")).build();

    HttpResponse<String> answer = http.send(post, BodyHandlers.ofString());

    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(answer.headers().firstValue("content-type")).hasValue("application/json");
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return http.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }
}
