package dev.queenmq.server.postgres;

import static dev.queenmq.server.testing.Await.await;
import static dev.queenmq.server.testing.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.config.Pooler;
import dev.queenmq.server.config.PostgresEndpoint;
import dev.queenmq.server.config.SessionConfig;
import dev.queenmq.server.config.Tls;
import dev.queenmq.server.testing.SharedPostgres;
import dev.queenmq.server.testing.TestCertificate;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server of its own, with a certificate for {@code localhost}, reached by name and by address.
 */
class TlsIT {

  private static SharedPostgres server;
  private static TestDatabase database;
  private static Path trusted;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    server = SharedPostgres.start();
    database = server.emptyDatabase();
    TestCertificate certificate = TestCertificate.forHost("localhost", folder);
    trusted = Files.writeString(folder.resolve("ca.pem"), certificate.certificate());
    // Written by the server itself, so that it owns them.
    write("server.key", certificate.key());
    write("server.crt", certificate.certificate());
    database.query("alter system set ssl = on");
    database.query("select pg_reload_conf()");
    Awaitility.await().until(() -> "on".equals(database.value("select current_setting('ssl')")));
  }

  private static void write(String file, String content) {
    database.query(
        "copy (select unnest(string_to_array('%s', E'\\n'))) to program 'umask 077; cat > %s'"
            .formatted(content.strip(), file));
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @Test
  void connects_whenCertificateIsTrustedAndForThisHost() {
    assertThat(await(encrypted("localhost", new Tls.Verified(Optional.of(trusted))))).isTrue();
  }

  @Test
  void refuses_whenCertificateIsForAnotherHost() {
    Throwable failure = failureOf(encrypted("127.0.0.1", new Tls.Verified(Optional.of(trusted))));

    assertThat(failure).hasMessageContaining("refuses: ").hasMessageContaining("127.0.0.1");
  }

  @Test
  void refuses_whenCertificateIsNotTrusted() {
    assertThat(failureOf(encrypted("localhost", new Tls.Verified(Optional.empty()))))
        .hasMessageContaining("refuses: ");
  }

  @Test
  void connects_whenVerificationIsOff() {
    assertThat(await(encrypted("127.0.0.1", new Tls.Unverified()))).isTrue();
  }

  @Test
  void connectsInPlainText_whenTlsIsOff() {
    assertThat(await(encrypted("127.0.0.1", new Tls.Off()))).isFalse();
  }

  private static Future<Boolean> encrypted(String host, Tls tls) {
    PostgresEndpoint usual = database.endpoint();
    PostgresEndpoint endpoint =
        new PostgresEndpoint(
            host, usual.port(), usual.database(), usual.user(), usual.password(), tls);
    PostgresGate gate =
        new PostgresGate(
            database.vertx(),
            SessionConfig.defaults().with(Pooler.NONE),
            Duration.ofSeconds(5),
            new Backoff(20, 100, new Random(9)));
    return gate.enter(endpoint)
        .compose(reached -> PgConnection.connect(database.vertx(), reached.options()))
        .compose(
            connection ->
                connection
                    .query("select ssl from pg_stat_ssl where pid = pg_backend_pid()")
                    .execute()
                    .map(rows -> rows.iterator().next().getBoolean(0))
                    .eventually(connection::close));
  }
}
