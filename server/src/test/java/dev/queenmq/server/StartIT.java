package dev.queenmq.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.config.values.PostgresEndpoint;
import dev.queenmq.server.testing.Empty;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong with a start is found before anything is unpacked or created, and named. */
@ExtendWith(PostgresExtension.class)
class StartIT {

  @TempDir private Path folder;

  @Test
  void portInUse_isFoundAtOnce_andNothingIsCreated() throws Exception {
    Path data = folder.resolve("data");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());

      String output = fails(1, Map.of("QUEEN_DATA_DIR", data.toString()), "--port", port);

      assertThat(reason(output))
          .isEqualTo(
              "cannot listen on 127.0.0.1:%s: the port is in use by process %d; stop that process, or set PORT or --port to another port"
                  .formatted(port, ProcessHandle.current().pid()));
      assertThat(data).doesNotExist();
    }
  }

  @Test
  void addressOfAnotherMachine_isNamed() throws Exception {
    Path data = folder.resolve("data");

    String output =
        fails(1, Map.of("QUEEN_DATA_DIR", data.toString(), "HOST", "192.0.2.1", "PORT", "6632"));

    assertThat(reason(output))
        .startsWith("cannot listen on 192.0.2.1:6632: this is no address of this machine");
    assertThat(data).doesNotExist();
  }

  @Test
  void fileInPlaceOfTheDataFolder_isNamed() throws Exception {
    Path file = Files.writeString(folder.resolve("data"), "");

    String output = fails(1, Map.of("QUEEN_DATA_DIR", file.resolve("queen").toString()));

    assertThat(reason(output))
        .startsWith("The data folder %s cannot be used: ".formatted(file.resolve("queen")))
        .contains("something that is not a folder is in the way (%s)".formatted(file))
        .contains("QUEEN_DATA_DIR");
  }

  @Test
  void dataOfAnotherPostgres_areFoundBeforeOneIsUnpacked() throws Exception {
    Path data = folder.resolve("data");
    Files.createDirectories(data.resolve("postgres"));
    Files.writeString(data.resolve("postgres/PG_VERSION"), "19\n");

    String output = fails(1, Map.of("QUEEN_DATA_DIR", data.toString()));

    assertThat(reason(output)).contains("was made by PostgreSQL 19, and this is PostgreSQL 18");
    assertThat(data).isDirectoryNotContaining("glob:**{binaries,spool,queen.lock}");
  }

  @Test
  void badPostgresInstallation_isNamed_andNothingIsCreated() throws Exception {
    Path data = folder.resolve("data");

    String output =
        fails(1, Map.of("QUEEN_DATA_DIR", data.toString(), "QUEEN_PG_BIN", folder.toString()));

    assertThat(reason(output)).contains("it holds no program named postgres", "QUEEN_PG_BIN");
    assertThat(data).doesNotExist();
  }

  @Test
  void badCertificates_areNamed_andNothingIsCreated() throws Exception {
    Path data = folder.resolve("data");
    Path bad = Files.writeString(folder.resolve("bad.pem"), "no certificate");
    Map<String, String> https =
        Map.of(
            "QUEEN_DATA_DIR", data.toString(),
            "QUEEN_TLS_CERT", bad.toString(),
            "QUEEN_TLS_KEY", bad.toString());
    assertThat(reason(fails(1, https)))
        .isEqualTo("QUEEN_TLS_CERT: %s has no certificate in PEM".formatted(bad));

    Map<String, String> postgres =
        Map.of(
            "PG_HOST", "127.0.0.1",
            "PG_PORT", "1",
            "PG_USE_SSL", "true",
            "PG_SSL_ROOT_CERT", bad.toString(),
            "QUEEN_DATA_DIR", data.toString());
    assertThat(reason(fails(1, postgres)))
        .isEqualTo("PG_SSL_ROOT_CERT: %s has no certificate in PEM".formatted(bad));
    assertThat(data).doesNotExist();
  }

  @Test
  void auditFileThatCannotBeWritten_isNamed_andNothingIsCreated() throws Exception {
    Path data = folder.resolve("data");

    String output =
        fails(1, Map.of("QUEEN_DATA_DIR", data.toString(), "QUEEN_AUDIT_FILE", folder.toString()));

    assertThat(reason(output))
        .startsWith("QUEEN_AUDIT_FILE: %s cannot be written".formatted(folder));
    assertThat(data).doesNotExist();
  }

  @Test
  void misspeltSetting_isReported_andTheBrokerStarts(@Empty TestDatabase database)
      throws Exception {
    Map<String, String> environment = at(database.endpoint());
    environment.put("QUEEN_DATADIR", "x");
    try (ServerProcess server = ServerProcess.startLogging(folder, environment)) {
      server.port();
      assertThat(server.output())
          .containsPattern(
              "(?m)^\\d{4}-\\d\\d-\\d\\dT\\S+ WARN  Main: unknown setting QUEEN_DATADIR, did you"
                  + " mean QUEEN_DATA_DIR\\?$");
    }
  }

  @Test
  void misspeltProtection_stopsTheStart() throws Exception {
    assertThat(reason(fails(2, Map.of("JWT_ENABLD", "true"))))
        .isEqualTo("unknown setting JWT_ENABLD, did you mean JWT_ENABLED?");
  }

  @Test
  void hostThatCannotBeResolved_isReportedEverywhere() throws Exception {
    Map<String, String> environment =
        Map.of("PG_HOST", "no-such-host.invalid", "QUEEN_DATA_DIR", folder.toString());
    try (ServerProcess server = ServerProcess.startLogging(folder, environment)) {
      HttpResponse<String> health = server.get("/health");

      assertThat(health.statusCode()).isEqualTo(503);
      assertThat(new JsonObject(health.body()))
          .contains(
              Map.entry("database", "disconnected"),
              Map.entry("status", "unhealthy"),
              Map.entry("database_error", "its host name cannot be resolved (PG_HOST)"));
      assertThat(server.output())
          .contains(
              "WARN  PostgresGate: waiting for PostgreSQL at"
                  + " postgres@no-such-host.invalid:5432/postgres since ",
              " s: its host name cannot be resolved (PG_HOST)")
          .containsPattern(
              "Listening on http://127.0.0.1:\\d+, started in \\d+ ms, without PostgreSQL"
                  + " \\(its host name cannot be resolved \\(PG_HOST\\)\\): until it answers, only"
                  + " pushes are taken, into the spool");
    }
  }

  @Test
  void postgresThatCanLoseCommits_isRefused_unlessAllowed(@Empty TestDatabase database)
      throws Exception {
    database.query(
        "alter database %s set synchronous_commit = off".formatted(database.endpoint().database()));
    Map<String, String> environment = at(database.endpoint());
    environment.put("QUEEN_ALLOW_UNSAFE_POSTGRES", "false");
    assertThat(reason(fails(1, environment)))
        .startsWith("PostgreSQL at " + database.endpoint().describe() + " runs with ")
        .contains("synchronous_commit = off", "QUEEN_ALLOW_UNSAFE_POSTGRES=true");

    environment.put("QUEEN_ALLOW_UNSAFE_POSTGRES", "true");
    try (ServerProcess server = ServerProcess.startLogging(folder, environment)) {
      HttpResponse<String> health = server.healthy();
      JsonObject body = new JsonObject(health.body());
      assertThat(body.getString("status")).isEqualTo("healthy");
      assertThat(body.getJsonObject("durability"))
          .contains(
              Map.entry("safe", false),
              Map.entry("allowed", true),
              Map.entry("synchronous_commit", "off"));
      assertThat(server.output())
          .contains("which can lose commits (")
          .containsPattern("WARN  PostgresHealth: PostgreSQL runs with .*synchronous_commit = off");
    }
  }

  @Test
  void json_isEveryLine_throughAGoodStartAndStop(@Empty TestDatabase database) throws Exception {
    Map<String, String> environment = at(database.endpoint());
    environment.put("LOG_FORMAT", "json");
    environment.put("QUEEN_DATADIR", "x");
    try (ServerProcess server = ServerProcess.startLogging(folder, environment)) {
      server.healthy();
      server.signal("TERM");
      assertThat(server.exitCode()).as(server.output()).isZero();

      assertThat(messages(server.output()))
          .anyMatch(message -> message.startsWith("Queen MQ 0."))
          .anyMatch(message -> message.startsWith("unknown setting QUEEN_DATADIR"))
          .anyMatch(message -> message.startsWith("Listening on http://127.0.0.1:"))
          .anyMatch(message -> message.startsWith("Dashboard: http://127.0.0.1:"))
          .last()
          .isEqualTo("Stopped");
    }
  }

  @Test
  void json_isEveryLine_ofAStartThatFails() throws Exception {
    Map<String, String> environment = new HashMap<>(Map.of("LOG_FORMAT", "json"));
    environment.put("QUEEN_DATA_DIR", folder.resolve("data").toString());
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ServerProcess inUse =
            ServerProcess.startLogging(
                folder, environment, "--port", Integer.toString(taken.getLocalPort()))) {
      assertThat(inUse.exitCode()).isEqualTo(1);
      assertThat(messages(inUse.output()))
          .last()
          .asString()
          .startsWith("queen: cannot start: cannot listen on 127.0.0.1:");
    }
    environment.put("NUM_WORKERS", "many");
    try (ServerProcess wrong = ServerProcess.startLogging(folder, environment)) {
      assertThat(wrong.exitCode()).isEqualTo(2);
      assertThat(messages(wrong.output()))
          .singleElement()
          .asString()
          .startsWith("queen: cannot start: NUM_WORKERS is 'many'");
    }
  }

  @Test
  void json_isEveryLine_whilePostgresIsAway() throws Exception {
    Map<String, String> environment =
        Map.of(
            "LOG_FORMAT", "json",
            "PG_HOST", "127.0.0.1",
            "PG_PORT", "1",
            "QUEEN_DATA_DIR", folder.toString());
    try (ServerProcess server = ServerProcess.startLogging(folder, environment)) {
      assertThat(server.get("/health").statusCode()).isEqualTo(503);
      server.signal("TERM");
      assertThat(server.exitCode()).as(server.output()).isZero();

      assertThat(messages(server.output()))
          .anyMatch(message -> message.startsWith("waiting for PostgreSQL at postgres@127.0.0.1:1"))
          .anyMatch(message -> message.contains("without PostgreSQL (the connection is refused)"));
    }
  }

  /** Every line has to be an object of the same form. */
  private static List<String> messages(String output) {
    return output
        .lines()
        .map(
            line -> {
              JsonObject object = new JsonObject(line);
              assertThat(object.fieldNames())
                  .contains("timestamp", "level", "loggerName", "formattedMessage");
              return object.getString("formattedMessage");
            })
        .toList();
  }

  private String fails(int code, Map<String, String> environment, String... flags)
      throws Exception {
    try (ServerProcess server = ServerProcess.startLogging(folder, environment, flags)) {
      assertThat(server.exitCode()).as(server.output()).isEqualTo(code);
      return server.output();
    }
  }

  /** There is one line that says it, and no stack trace. */
  private static String reason(String output) {
    assertThat(output).doesNotContain("\tat ", "Exception", "Unpacking", "Creating");
    List<String> lines =
        output.lines().filter(line -> line.startsWith("queen: cannot start: ")).toList();
    assertThat(lines).hasSize(1);
    assertThat(output).endsWith(lines.get(0) + "\n");
    return lines.get(0).substring("queen: cannot start: ".length());
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
