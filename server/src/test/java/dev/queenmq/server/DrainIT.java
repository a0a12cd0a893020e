package dev.queenmq.server;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.config.values.PostgresEndpoint;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A broker that is told to stop: not ready first, closed later, and nothing is cut off. */
@ExtendWith(PostgresExtension.class)
class DrainIT {

  @TempDir private Path folder;

  @Test
  void signal_makesTheBrokerUnready_whileItServes_andThenClosesIt(TestDatabase database)
      throws Exception {
    // Long enough for the questions below on a busy machine; the test waits for its end.
    Map<String, String> environment = at(database.endpoint(), "15000");
    try (ServerProcess process = ServerProcess.start(folder, environment)) {
      RunningServer server = RunningServer.at(process.port());
      assertThat(server.get("/health/ready").status()).isEqualTo(200);
      assertThat(server.get("/health/accepting").object().getString("status"))
          .isEqualTo("accepting");
      CompletableFuture<Answer> poll = server.popLater("quiet", "wait=true&timeout=100000");
      server.awaitWaiting(1);

      process.signal("TERM");

      Awaitility.await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> server.get("/health/ready").status() == 503);
      assertThat(server.get("/health").object().getString("status")).isEqualTo("draining");
      assertThat(server.get("/health").object().getString("database")).isEqualTo("connected");
      Answer accepting = server.get("/health/accepting");
      assertThat(accepting.status()).isEqualTo(503);
      assertThat(accepting.object().getString("status")).isEqualTo("draining");
      assertThat(server.get("/health/live").status()).isEqualTo(200);
      assertThat(server.push(item("orders", "a", "1")).array().getJsonObject(0).getString("status"))
          .isEqualTo("queued");
      assertThat(server.pop("orders", "autoAck=true").transactionIds()).containsExactly("1");
      assertThat(poll).as("a poll that waits").isNotDone();
      assertThat(process.output()).contains("Not ready any more; the port closes in 15000 ms\n");

      assertThat(process.exitCode()).as(process.output()).isZero();
      assertThat(process.output()).endsWith("Stopped\n");
      assertThat(poll.join().messages()).as("answered, not cut off").isEmpty();
      assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), server.port()).close())
          .isInstanceOf(ConnectException.class);
    }
  }

  @Test
  void brokerWithoutPostgres_acceptsAndIsNotReady(TestDatabase database) throws Exception {
    Map<String, String> away =
        Map.of("PG_HOST", "127.0.0.1", "PG_PORT", "1", "PG_DB", database.endpoint().database());
    try (ServerProcess process = ServerProcess.start(folder, away)) {
      assertThat(process.get("/health/ready").statusCode()).isEqualTo(503);
      assertThat(process.get("/health/accepting").statusCode()).isEqualTo(200);
    }
  }

  private static Map<String, String> at(PostgresEndpoint endpoint, String drain) {
    return Map.of(
        "QUEEN_DRAIN_MS", drain,
        "PG_HOST", endpoint.host(),
        "PG_PORT", Integer.toString(endpoint.port()),
        "PG_DB", endpoint.database(),
        "PG_USER", endpoint.user(),
        "PG_PASSWORD", endpoint.password().value());
  }
}
