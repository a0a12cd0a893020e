package dev.queenmq.server;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.queenmq.embedded.PreparedCluster;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What a broker knows and must not tell, whatever goes wrong and whoever asks. */
@ExtendWith(PostgresExtension.class)
class SecretsIT {
  private static final String PASSWORD = "sesame-of-the-database";
  private static final String SYNC_SECRET = "51c51c51".repeat(8);
  private static final String KEY = "4e74e74e".repeat(8);
  private static final String PREVIOUS_KEY = "01d01d01".repeat(8);
  private static final String JWT_SECRET = "secret-that-signs-tokens-of-everybody";
  private static final String TOKEN = "token-of-a-client-in-a-header";
  private static final String PAYLOAD = "payload-that-is-nobodys-business";
  private static final String[] SECRETS = {
    PASSWORD, SYNC_SECRET, KEY, PREVIOUS_KEY, JWT_SECRET, TOKEN
  };

  private final HttpClient http = HttpClient.newHttpClient();
  @TempDir private Path folder;

  private Map<String, String> environment() throws IOException {
    Map<String, String> environment = new HashMap<>();
    Path logback = EverythingLogged.in(folder);
    environment.put("JAVA_TOOL_OPTIONS", "-Dlogback.configurationFile=" + logback);
    environment.put("LOG_LEVEL", "trace");
    environment.put("PG_PASSWORD", PASSWORD);
    environment.put("QUEEN_SYNC_SECRET", SYNC_SECRET);
    environment.put("QUEEN_UDP_PEERS", "127.0.0.1:9");
    environment.put("QUEEN_UDP_HOST", "127.0.0.1");
    environment.put("QUEEN_UDP_NOTIFY_PORT", Integer.toString(freeUdpPort()));
    environment.put("QUEEN_ENCRYPTION_KEY", KEY);
    environment.put("QUEEN_ENCRYPTION_KEY_PREVIOUS", PREVIOUS_KEY);
    environment.put("JWT_SECRET", JWT_SECRET);
    return environment;
  }

  private static int freeUdpPort() throws IOException {
    try (DatagramSocket socket = new DatagramSocket()) {
      return socket.getLocalPort();
    }
  }

  @Test
  void noSecret_isInLogsOrAnswers_whateverHappens(TestDatabase database) throws Exception {
    database.query("create role teller login superuser password '" + PASSWORD + "'");
    Map<String, String> environment = environment();
    environment.put("PG_HOST", database.endpoint().host());
    environment.put("PG_PORT", Integer.toString(database.endpoint().port()));
    environment.put("PG_DB", database.endpoint().database());
    environment.put("PG_USER", "teller");
    List<String> answers = new ArrayList<>();
    try (ServerProcess process = ServerProcess.start(folder, environment);
        RunningServer server = RunningServer.at(process.port())) {
      server.configure("vault", new JsonObject().put("encryptionEnabled", true));
      server.push(item("vault", "p", "t").put("payload", PAYLOAD));
      answers.addAll(mistakes(process.port()));
      answers.addAll(everyRoute(server));

      // The password becomes wrong, and no broker can connect.
      database.query("alter role teller password 'another'");
      await()
          .until(
              () -> {
                // Each time: one that was just logging in has no name yet.
                database.query(
                    "select pg_terminate_backend(pid) from pg_stat_activity where usename ="
                        + " 'teller'");
                RunningServer.Answer push = server.push(item("vault", "p", "later"));
                answers.add(push.body());
                // On a busy machine the spool may take it first.
                return push.status() >= 500 || push.body().contains("buffered");
              });
      answers.addAll(everyRoute(server));
      answers.addAll(mistakes(process.port()));
      database.query("alter role teller password '" + PASSWORD + "'");
      await().until(() -> server.push(item("vault", "p", "again")).status() == 201);

      assertThat(process.output()).contains("DEBUG", "TRACE").doesNotContain(SECRETS);
      assertThat(process.output()).doesNotContain(PAYLOAD);
      assertThat(answers).hasSizeGreaterThan(50);
      assertThat(String.join("\n", answers)).doesNotContain(SECRETS);
      assertThat(commandLines(process)).doesNotContain(SECRETS);
    }
  }

  @Test
  void noSecret_isGivenToPostgres() throws Exception {
    Map<String, String> environment = environment();
    Path data = folder.resolve("data");
    PreparedCluster.copyTo(data);
    environment.put("QUEEN_PG_BIN", PreparedCluster.bin().toString());
    environment.put("QUEEN_DATA_DIR", data.toString());
    try (ServerProcess process = ServerProcess.start(folder, environment);
        RunningServer server = RunningServer.at(process.port())) {
      assertThat(server.push(item("q", "p", "t")).status()).isEqualTo(201);
      String own = passwordOf(data);
      assertThat(process.children()).isNotEmpty();
      for (String text : List.of(commandLines(process), environments(process), process.output())) {
        assertThat(text).doesNotContain(SECRETS).doesNotContain(own);
      }
      assertThat(environments(process)).contains("TZ=UTC");
      assertThat(String.join("\n", everyRoute(server))).doesNotContain(SECRETS).doesNotContain(own);
    }
  }

  private static String passwordOf(Path data) throws IOException {
    try (Stream<Path> files = Files.walk(data, 3)) {
      Path file = files.filter(each -> each.endsWith("queen.password")).findFirst().orElseThrow();
      return Files.readString(file).strip();
    }
  }

  @Test
  void noSecret_isInWhatAFailedStartSays() throws Exception {
    Map<String, String> wrong = environment();
    wrong.put("QUEEN_SYNC_SECRET", TOKEN);
    wrong.put("QUEEN_ENCRYPTION_KEY", JWT_SECRET);
    wrong.put("PG_PORT", "none");
    try (ServerProcess process = ServerProcess.start(folder, wrong)) {
      assertThat(process.exitCode()).isEqualTo(2);
      assertThat(process.output())
          .contains("QUEEN_SYNC_SECRET has ", "QUEEN_ENCRYPTION_KEY has ")
          .doesNotContain(SECRETS);
    }
    Map<String, String> refused = environment();
    refused.put("PG_HOST", "127.0.0.1");
    refused.put("PG_PORT", "1");
    refused.put("QUEEN_START_TIMEOUT", "200");
    // With a spool it would take pushes and go on trying.
    refused.put("SPOOL_MAX_BYTES", "0");
    try (ServerProcess process = ServerProcess.start(folder, refused)) {
      assertThat(process.exitCode()).isEqualTo(1);
      assertThat(process.output()).contains("did not answer within").doesNotContain(SECRETS);
    }
  }

  /** Requests that fail, each with a token. */
  private List<String> mistakes(int port) throws Exception {
    List<String> answers = new ArrayList<>();
    for (String authorization : List.of("Bearer " + TOKEN, "Basic " + TOKEN, TOKEN)) {
      for (String path :
          List.of("/api/v1/push", "/api/v1/ack", "/api/v1/transaction", "/nothing")) {
        for (String body : List.of("{\"items\":[", "\u0000", "{}", "{\"items\":[{\"queue\":1}]}")) {
          HttpRequest request =
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                  .header("Authorization", authorization)
                  .POST(BodyPublishers.ofString(body))
                  .build();
          HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
          assertThat(answer.statusCode()).isNotEqualTo(201);
          answers.add(answer.headers().map() + answer.body());
        }
      }
    }
    return answers;
  }

  /** All that can be read. */
  private static List<String> everyRoute(RunningServer server) {
    JsonObject paths = server.get("/api/v1/openapi.json").object().getJsonObject("paths");
    List<String> answers = new ArrayList<>();
    for (String path : paths.fieldNames()) {
      if (paths.getJsonObject(path).containsKey("get")) {
        String filled =
            path.replace("{queue}", "vault")
                .replace("{partition}", "p")
                .replaceAll("\\{[^}]*}", "any");
        RunningServer.Answer answer = server.get(filled);
        answers.add(filled + answer.http().headers().map() + answer.body());
      }
    }
    return answers;
  }

  private static String commandLines(ServerProcess process) throws IOException {
    return ofProcesses(process, "cmdline", true);
  }

  private static String environments(ServerProcess process) throws IOException {
    return ofProcesses(process, "environ", false);
  }

  /** As {@code ps} shows them. */
  private static String ofProcesses(ServerProcess process, String file, boolean broker)
      throws IOException {
    List<Long> ids = new ArrayList<>(process.children().stream().map(ProcessHandle::pid).toList());
    if (broker) {
      ids.add(process.pid());
    }
    StringBuilder all = new StringBuilder();
    for (long id : ids) {
      try {
        byte[] bytes = Files.readAllBytes(Path.of("/proc", Long.toString(id), file));
        all.append(new String(bytes, StandardCharsets.UTF_8)).append('\n');
      } catch (IOException ended) {
        all.append(id).append(" has ended\n");
      }
    }
    return all.toString();
  }
}
