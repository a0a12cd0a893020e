package dev.queenmq.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.queenmq.embedded.SharedBinaries;
import dev.queenmq.server.config.values.PostgresEndpoint;
import dev.queenmq.server.testing.Empty;
import dev.queenmq.server.testing.FaultyProxy;
import dev.queenmq.server.testing.FaultyProxy.Fault;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestAuthority;
import dev.queenmq.server.testing.TestCertificate;
import dev.queenmq.server.testing.TestDatabase;
import dev.queenmq.server.testing.TlsClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(PostgresExtension.class)
class MainIT {

  @TempDir private Path folder;

  @Test
  void server_runsItsOwnPostgres_andKeepsItsData() throws Exception {
    Path data = SharedBinaries.linkInto(folder.resolve("data"));
    Map<String, String> environment = Map.of("QUEEN_DATA_DIR", data.toString());
    try (ServerProcess first = ServerProcess.start(folder, environment)) {
      HttpResponse<String> health = first.healthy();
      assertThat(health.statusCode()).isEqualTo(200);
      assertThat(health.body())
          .contains("\"status\":\"healthy\"", "\"database\":\"connected\"", "\"version\":\"0.");
      assertThat(first.output()).contains("Queen MQ 0.", "of our own at 127.0.0.1:", "(new)");

      try (ServerProcess second = ServerProcess.start(folder, environment)) {
        assertThat(second.exitCode()).isEqualTo(1);
        assertThat(second.output())
            .contains(
                "queen: cannot start: The data folder %s is in use by process %d. "
                    .formatted(data.toRealPath(), first.pid()))
            .doesNotContain("\tat ", "spool");
      }

      List<ProcessHandle> children = first.children();
      assertThat(children).isNotEmpty();
      assertStops(first, "TERM");
      assertThat(children).noneMatch(ProcessHandle::isAlive);
    }
    try (ServerProcess third = ServerProcess.start(folder, environment)) {
      third.port();
      assertThat(third.output()).contains("(kept from before)");
      assertStops(third, "INT");
    }
  }

  @Test
  void server_usesAnotherPostgres_whenToldWhere(@Empty TestDatabase database) throws Exception {
    try (ServerProcess server = ServerProcess.start(folder, at(database.endpoint()))) {
      assertThat(server.get("/nothing").statusCode()).isEqualTo(404);
      assertThat(server.get("/nothing").body()).isEqualTo("{\"error\":\"Not Found\"}");
      assertThat(server.output())
          .contains(" at " + database.endpoint().describe())
          .doesNotContain(database.endpoint().password().value());
      assertStops(server, "TERM");
    }
  }

  @Test
  void server_stops_whileItWaitsForPostgres(TestDatabase database) throws Exception {
    try (FaultyProxy proxy = new FaultyProxy(database.vertx(), database.endpoint(), Fault.SILENT)) {
      Map<String, String> environment = at(proxy.endpoint());
      environment.put("DB_CONNECTION_TIMEOUT", "1000");
      try (ServerProcess server = ServerProcess.start(folder, environment)) {
        server.waitFor("waiting for ");
        assertStops(server, "TERM");
      }
    }
  }

  @Test
  void server_saysWhy_whenPortIsTaken(TestDatabase database) throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());

      assertFails(
          1,
          "cannot listen on 127.0.0.1:" + port + ": the port is in use",
          at(database.endpoint()),
          "--port",
          port);
    }
  }

  @Test
  void server_saysWhy_whenConfigurationIsWrong() throws Exception {
    assertFails(2, "PG_PORT is 'none', but must be a whole number", Map.of("PG_PORT", "none"));
  }

  @Test
  void server_saysWhy_whenPostgresDoesNotAnswer(TestDatabase database) throws Exception {
    Map<String, String> environment = at(database.endpoint());
    environment.put("PG_PORT", "1");
    environment.put("QUEEN_START_TIMEOUT", "200");
    environment.put("SPOOL_MAX_BYTES", "0");

    assertFails(1, "did not answer within", environment);
  }

  @Test
  void server_saysWhy_whenPasswordIsWrong(TestDatabase database) throws Exception {
    Map<String, String> environment = at(database.endpoint());
    environment.put("PG_PASSWORD", "open-sesame-wrong");

    String output = assertFails(1, "refuses: password authentication failed", environment);

    assertThat(output).doesNotContain("open-sesame");
  }

  @Test
  void server_speaksTls_whenItHasACertificate(TestDatabase database) throws Exception {
    TestAuthority authority = new TestAuthority("authority");
    TestCertificate certificate = authority.issue("localhost");
    Path file = Files.writeString(folder.resolve("tls.crt"), certificate.certificatePem());
    Path key = Files.writeString(folder.resolve("tls.key"), certificate.keyPem());
    Map<String, String> environment = at(database.endpoint());
    environment.put("QUEEN_TLS_CERT", file.toString());
    environment.put("QUEEN_TLS_KEY", key.toString());
    try (ServerProcess server = ServerProcess.start(folder, environment)) {
      HttpClient client =
          HttpClient.newBuilder()
              .sslContext(TlsClient.trusting(authority, Optional.empty()))
              .build();
      HttpRequest health =
          HttpRequest.newBuilder(URI.create("https://localhost:" + server.port() + "/health"))
              .build();
      Awaitility.await()
          .atMost(Duration.ofMinutes(3))
          .until(() -> client.send(health, BodyHandlers.ofString()).statusCode() == 200);
      assertThat(server.output()).contains("Listening on https://127.0.0.1:");
      assertThatThrownBy(() -> renegotiate(authority, server.port()))
          .isInstanceOf(IOException.class);
      assertStops(server, "TERM");
    }
    Files.writeString(key, authority.issue("localhost").keyPem());
    // Reported before anything else is done: no server answers at this port.
    environment.put("PG_PORT", "1");
    assertFails(
        1, "the key in %s does not belong to the certificate in".formatted(key), environment);
  }

  /** A second handshake on a connection costs the server much more than the client. */
  private static void renegotiate(TestAuthority authority, int port) throws IOException {
    SSLContext tls = TlsClient.trusting(authority, Optional.empty());
    try (SSLSocket client = (SSLSocket) tls.getSocketFactory().createSocket("127.0.0.1", port)) {
      client.setSoTimeout(60_000);
      client.setEnabledProtocols(new String[] {"TLSv1.2"});
      client.startHandshake();
      client.startHandshake();
      client
          .getOutputStream()
          .write("GET /health HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      if (client.getInputStream().read() < 0) {
        throw new IOException("closed");
      }
    }
  }

  @Test
  void server_saysWhatToDo_whenItAsksForAPassword(TestDatabase database) throws Exception {
    Map<String, String> environment = at(database.endpoint());
    environment.remove("PG_PASSWORD");

    assertFails(1, "asks for a password, but PG_PASSWORD is not set", environment);
  }

  @Test
  void help_explainsTheSettings() throws Exception {
    try (ServerProcess server = ServerProcess.start(folder, Map.of(), "--help")) {
      assertThat(server.exitCode()).isZero();
      assertThat(server.output()).startsWith("usage: queen server").contains("QUEEN_DATA_DIR");
    }
  }

  private static void assertStops(ServerProcess server, String signal) throws Exception {
    server.signal(signal);
    assertThat(server.exitCode()).as(server.output()).isZero();
    assertThat(server.output()).endsWith("Stopped\n");
  }

  private String assertFails(
      int code, String reason, Map<String, String> environment, String... flags) throws Exception {
    try (ServerProcess server = ServerProcess.start(folder, environment, flags)) {
      assertThat(server.exitCode()).as(server.output()).isEqualTo(code);
      String output = server.output();
      assertThat(output.lines().filter(line -> line.startsWith("queen: cannot start: ")))
          .singleElement()
          .asString()
          .contains(reason);
      assertThat(output).doesNotContain("\tat ", "Exception");
      return output;
    }
  }

  private static Map<String, String> at(PostgresEndpoint endpoint) {
    Map<String, String> environment = new HashMap<>();
    environment.put("PG_HOST", endpoint.host());
    environment.put("PG_PORT", Integer.toString(endpoint.port()));
    environment.put("PG_DB", endpoint.database());
    environment.put("PG_USER", endpoint.user());
    environment.put("PG_PASSWORD", endpoint.password().value());
    return environment;
  }
}
