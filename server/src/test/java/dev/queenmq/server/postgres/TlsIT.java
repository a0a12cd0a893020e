package dev.queenmq.server.postgres;

import static dev.queenmq.server.testing.Await.await;
import static dev.queenmq.server.testing.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.config.SessionConfig;
import dev.queenmq.server.config.values.ClientCertificate;
import dev.queenmq.server.config.values.Pooler;
import dev.queenmq.server.config.values.PostgresEndpoint;
import dev.queenmq.server.config.values.Tls;
import dev.queenmq.server.testing.SharedPostgres;
import dev.queenmq.server.testing.TestAuthority;
import dev.queenmq.server.testing.TestCertificate;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static SharedPostgres server;
  private static TestDatabase database;
  private static Path trusted;
  private static Path stranger;
  private static TestAuthority authority;

  @TempDir private Path folder;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    server = SharedPostgres.start();
    database = server.emptyDatabase();
    authority = new TestAuthority("authority");
    stranger = Files.writeString(folder.resolve("other.pem"), new TestAuthority("stranger").pem());
    TestCertificate certificate = authority.issue("localhost");
    trusted = Files.writeString(folder.resolve("ca.pem"), authority.pem());
    // Written by the server itself, so that it owns them.
    write("server.key", certificate.keyPem());
    write("server.crt", certificate.certificatePem());
    write("root.crt", authority.pem());
    database.query("create role bee login superuser");
    database.query(
        "copy (select 'hostssl all bee all cert' union all select line from"
            + " unnest(string_to_array(pg_read_file('pg_hba.conf'), E'\\n')) line) to program"
            + " 'cat > pg_hba.next && mv pg_hba.next pg_hba.conf'");
    database.query("alter system set ssl_ca_file = 'root.crt'");
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
  void refuses_whenAnotherAuthorityIsTrusted() {
    assertThat(failureOf(encrypted("localhost", new Tls.Verified(Optional.of(stranger)))))
        .hasMessageContaining("refuses: ")
        .hasMessageContaining("has to be signed by an authority that is trusted");
  }

  @Test
  void refuses_whenTheServerDoesNotEncrypt() throws Exception {
    try (SharedPostgres plain = SharedPostgres.start()) {
      PostgresEndpoint there = plain.freshDatabase().endpoint();
      for (Tls tls : List.of(new Tls.Verified(Optional.of(trusted)), new Tls.Unverified())) {
        assertThat(failureOf(encrypted(there, "localhost", there.user(), tls)))
            .hasMessageContaining("SSL");
      }
    }
  }

  @Test
  void showsItsCertificate_whenPostgresAsksForOne() throws Exception {
    Tls known = new Tls.Verified(Optional.of(trusted), Optional.of(certificate(authority)));
    Tls unknown =
        new Tls.Verified(
            Optional.of(trusted), Optional.of(certificate(new TestAuthority("stranger"))));
    Tls none = new Tls.Verified(Optional.of(trusted));

    assertThat(await(encrypted(database.endpoint(), "localhost", "bee", known))).isTrue();
    assertThat(failureOf(encrypted(database.endpoint(), "localhost", "bee", unknown)))
        .isInstanceOf(PostgresUnreachableException.class);
    assertThat(failureOf(encrypted(database.endpoint(), "localhost", "bee", none)))
        .hasMessageContaining("certificate");
  }

  private ClientCertificate certificate(TestAuthority signer) throws Exception {
    TestCertificate own = signer.issue("bee");
    return new ClientCertificate(
        Files.writeString(Files.createTempFile(folder, "bee", ".pem"), own.certificatePem()),
        Files.writeString(Files.createTempFile(folder, "bee", ".key"), own.keyPem()));
  }

  @Test
  void missingFile_isTold() {
    Path nowhere = folder.resolve("nowhere.pem");

    assertThat(failureOf(encrypted("localhost", new Tls.Verified(Optional.of(nowhere)))))
        .isInstanceOf(PostgresUnreachableException.class)
        .hasMessage("PG_SSL_ROOT_CERT: %s is not there or may not be read".formatted(nowhere));
    Tls halfThere =
        new Tls.Verified(
            Optional.of(trusted), Optional.of(new ClientCertificate(trusted, nowhere)));
    assertThat(failureOf(encrypted("localhost", halfThere)))
        .hasMessage("PG_SSL_KEY: %s is not there or may not be read".formatted(nowhere));
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
    return encrypted(database.endpoint(), host, database.endpoint().user(), tls);
  }

  private static Future<Boolean> encrypted(
      PostgresEndpoint usual, String host, String user, Tls tls) {
    PostgresEndpoint endpoint =
        new PostgresEndpoint(host, usual.port(), usual.database(), user, usual.password(), tls);
    SessionConfig usualSession = SessionConfig.defaults();
    PostgresGate gate =
        new PostgresGate(
            database.vertx(),
            // On a busy machine it takes long to prepare for the first handshake.
            new SessionConfig(
                PATIENCE,
                usualSession.statementTimeout(),
                usualSession.lockTimeout(),
                Pooler.NONE,
                1),
            PATIENCE,
            new Backoff(20, 100, new Random(9)),
            System::nanoTime);
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
