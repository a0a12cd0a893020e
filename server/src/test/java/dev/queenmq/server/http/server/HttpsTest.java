package dev.queenmq.server.http.server;

import static dev.queenmq.server.testing.Await.await;
import static dev.queenmq.server.testing.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.queenmq.server.config.HttpConfig;
import dev.queenmq.server.config.ProtectionConfig.Https;
import dev.queenmq.server.config.values.ClientCertificates;
import dev.queenmq.server.testing.TestAuthority;
import dev.queenmq.server.testing.TestCertificate;
import dev.queenmq.server.testing.TlsClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A port that speaks TLS, and files that change under it. */
class HttpsTest {
  private static final TestAuthority AUTHORITY = new TestAuthority("authority");
  private static final TestAuthority STRANGER = new TestAuthority("stranger");
  private static final SSLContext ANYBODY = TlsClient.trusting(AUTHORITY, Optional.empty());
  private static final Duration OFTEN = Duration.ofMillis(100);

  private final Vertx vertx = Vertx.vertx();
  private final BlockingQueue<HttpServerRequest> held = new LinkedBlockingQueue<>();
  private final ListAppender<ILoggingEvent> said = new ListAppender<>();
  private final Logger log = (Logger) LoggerFactory.getLogger(CertificateWatch.class);

  @TempDir private Path folder;

  @BeforeEach
  void listen() {
    said.start();
    log.addAppender(said);
    log.setLevel(Level.INFO);
    log.setAdditive(false);
  }

  @AfterEach
  void stop() {
    log.detachAppender(said);
    log.setAdditive(true);
    await(vertx.close());
  }

  private void write(TestCertificate certificate) throws IOException {
    replace("tls.crt", certificate.certificatePem() + AUTHORITY.pem());
    replace("tls.key", certificate.keyPem());
  }

  /** As those do it who do not want others to see half of a file. */
  private void replace(String name, String content) throws IOException {
    Path next = Files.writeString(folder.resolve(name + ".next"), content);
    Files.move(next, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  private Https files(ClientCertificates clients) {
    return new Https(
        folder.resolve("tls.crt"),
        folder.resolve("tls.key"),
        clients == ClientCertificates.NONE
            ? Optional.empty()
            : Optional.of(folder.resolve("ca.crt")),
        clients,
        OFTEN);
  }

  private Future<HttpFront> start(Https https) {
    HttpConfig config =
        Protections.on(new HttpConfig("127.0.0.1", 0))
            .set("QUEEN_HEAD_TIMEOUT_MS", 5_000)
            .https(https)
            .config();
    return HttpFront.start(
        vertx,
        config,
        HttpLimits.defaults().withIdleTimeout(Duration.ofSeconds(30)),
        InstantSource.system(),
        System::nanoTime,
        2,
        instance -> this::answer);
  }

  private void answer(HttpServerRequest request) {
    if (request.path().equals("/held")) {
      held.add(request);
    } else {
      request.response().end("hello");
    }
  }

  private static HttpClient client(SSLContext tls) {
    return HttpClient.newBuilder().sslContext(tls).build();
  }

  private static HttpRequest request(HttpFront front, String path) {
    return HttpRequest.newBuilder(URI.create("https://localhost:" + front.port() + path)).build();
  }

  private static HttpResponse<String> get(HttpFront front, SSLContext tls) throws Exception {
    return client(tls).send(request(front, "/"), BodyHandlers.ofString());
  }

  private static BigInteger serial(HttpResponse<?> answer) throws IOException {
    SSLSession session = answer.sslSession().orElseThrow();
    return ((X509Certificate) session.getPeerCertificates()[0]).getSerialNumber();
  }

  private BigInteger serialNow(HttpFront front) throws Exception {
    return serial(get(front, ANYBODY));
  }

  private List<String> lines() {
    return List.copyOf(said.list).stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  void answersOverTls_andOnlyInHttp1() throws Exception {
    write(AUTHORITY.issue("localhost"));
    HttpFront front = await(start(files(ClientCertificates.NONE)));

    HttpResponse<String> answer = get(front, ANYBODY);

    assertThat(answer.body()).isEqualTo("hello");
    assertThat(answer.version()).isEqualTo(Version.HTTP_1_1);
    assertThat(answer.sslSession().orElseThrow().getProtocol()).isEqualTo("TLSv1.3");
    assertThat(answer.sslSession().orElseThrow().getPeerCertificates()).hasSize(2);
    try (SSLSocket older =
        (SSLSocket) ANYBODY.getSocketFactory().createSocket("127.0.0.1", front.port())) {
      older.setEnabledProtocols(new String[] {"TLSv1.2"});
      older.startHandshake();
      assertThat(older.getSession().getProtocol()).isEqualTo("TLSv1.2");
    }
  }

  /** Those without fresh keys for each connection, and those that authenticate too late. */
  @Test
  void weakSuites_areNotSpoken() throws Exception {
    write(AUTHORITY.issue("localhost"));
    HttpFront front = await(start(files(ClientCertificates.NONE)));
    int good = 0;
    for (String suite : ANYBODY.getSupportedSSLParameters().getCipherSuites()) {
      if (suite.startsWith("TLS_AES") || suite.startsWith("TLS_CHACHA")) {
        continue;
      }
      try (SSLSocket client =
          (SSLSocket) ANYBODY.getSocketFactory().createSocket("127.0.0.1", front.port())) {
        client.setEnabledProtocols(new String[] {"TLSv1.2"});
        client.setEnabledCipherSuites(new String[] {suite});
        client.startHandshake();
        assertThat(suite).matches("TLS_ECDHE_\\w+(_GCM_SHA\\d+|_CHACHA20_POLY1305_SHA256)");
        good++;
      } catch (SSLException refused) {
        assertThat(suite).isNotEqualTo("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
      }
    }
    assertThat(good).isGreaterThanOrEqualTo(2);
  }

  @Test
  void plainText_isNotAnswered_andSilenceIsNotWaitedFor() throws Exception {
    write(AUTHORITY.issue("localhost"));
    HttpFront front = await(start(files(ClientCertificates.NONE)));
    try (RawClient plain = new RawClient(front.port());
        RawClient silent = new RawClient(front.port())) {
      plain.send(RawClient.request("GET", "/"));
      assertThatThrownBy(plain::receiveHead).isInstanceOf(IOException.class);
      assertThat(get(front, ANYBODY).statusCode()).isEqualTo(200);
      // No handshake was made, and the time for it is over.
      assertThat(silent.isClosedByServer()).isTrue();
    }
  }

  @Test
  void newFiles_areUsedForNewConnections_andOldConnectionsStay() throws Exception {
    TestCertificate first = AUTHORITY.issue("localhost");
    TestCertificate second = AUTHORITY.issue("localhost");
    write(first);
    HttpFront front = await(start(files(ClientCertificates.NONE)));
    HttpClient early = client(ANYBODY);
    CompletableFuture<HttpResponse<String>> waiting =
        early.sendAsync(request(front, "/held"), BodyHandlers.ofString());
    HttpServerRequest parked = held.poll(60, TimeUnit.SECONDS);
    assertThat(serialNow(front)).isEqualTo(first.certificate().getSerialNumber());

    write(second);

    await().until(() -> serialNow(front).equals(second.certificate().getSerialNumber()));
    parked.response().end("still here");
    HttpResponse<String> answer = waiting.get(60, TimeUnit.SECONDS);
    assertThat(answer.body()).isEqualTo("still here");
    assertThat(serial(answer)).isEqualTo(first.certificate().getSerialNumber());
    await()
        .until(
            () ->
                lines().stream()
                    .anyMatch(line -> line.startsWith("new TLS certificate of CN=localhost")));
  }

  /** Kubernetes mounts a secret as links to links, and changes one of them. */
  @Test
  void filesBehindLinks_areSeenToChange() throws Exception {
    TestCertificate first = AUTHORITY.issue("localhost");
    TestCertificate second = AUTHORITY.issue("localhost");
    for (TestCertificate each : List.of(first, second)) {
      Path version = Files.createDirectory(folder.resolve(each.equals(first) ? "..1" : "..2"));
      Files.writeString(version.resolve("tls.crt"), each.certificatePem());
      Files.writeString(version.resolve("tls.key"), each.keyPem());
    }
    Path data = Files.createSymbolicLink(folder.resolve("..data"), Path.of("..1"));
    Files.createSymbolicLink(folder.resolve("tls.crt"), Path.of("..data", "tls.crt"));
    Files.createSymbolicLink(folder.resolve("tls.key"), Path.of("..data", "tls.key"));
    HttpFront front = await(start(files(ClientCertificates.NONE)));
    assertThat(serialNow(front)).isEqualTo(first.certificate().getSerialNumber());

    Path next = Files.createSymbolicLink(folder.resolve("..next"), Path.of("..2"));
    Files.move(next, data, StandardCopyOption.ATOMIC_MOVE);

    await().until(() -> serialNow(front).equals(second.certificate().getSerialNumber()));
  }

  @Test
  void brokenFiles_changeNothing_andAreToldOnce() throws Exception {
    TestCertificate first = AUTHORITY.issue("localhost");
    TestCertificate second = AUTHORITY.issue("localhost");
    write(first);
    HttpFront front = await(start(files(ClientCertificates.NONE)));

    replace("tls.key", second.keyPem());
    await().until(() -> complaints() == 1);
    assertThat(lines().get(lines().size() - 1))
        .isEqualTo(
            "keeping the TLS certificate as it was: the key in %s does not belong to the certificate in %s"
                .formatted(folder.resolve("tls.key"), folder.resolve("tls.crt")));
    assertThat(serialNow(front)).isEqualTo(first.certificate().getSerialNumber());
    Files.delete(folder.resolve("tls.crt"));
    await().until(() -> complaints() == 2);
    assertThat(serialNow(front)).isEqualTo(first.certificate().getSerialNumber());

    replace("tls.crt", second.certificatePem());
    await().until(() -> serialNow(front).equals(second.certificate().getSerialNumber()));
    assertThat(complaints()).isEqualTo(2);
  }

  private long complaints() {
    return lines().stream().filter(line -> line.startsWith("keeping the TLS")).count();
  }

  @Test
  void start_saysWhatIsWrongWithTheFiles() throws Exception {
    TestCertificate good = AUTHORITY.issue("localhost");
    Path key = folder.resolve("tls.key");
    Path certificate = folder.resolve("tls.crt");
    Https files = files(ClientCertificates.NONE);

    assertThat(failureOf(start(files)))
        .isInstanceOf(HttpStartException.class)
        .hasMessage("QUEEN_TLS_CERT: there is no file " + certificate);
    replace("tls.crt", good.certificatePem());
    assertThat(failureOf(start(files))).hasMessage("QUEEN_TLS_KEY: there is no file " + key);
    replace("tls.key", "secret nonsense");
    assertThat(failureOf(start(files)))
        .hasMessage("QUEEN_TLS_KEY: %s has no RSA or EC private key in PEM".formatted(key));
    replace("tls.key", good.keyPem().replace("PRIVATE", "ENCRYPTED PRIVATE"));
    assertThat(failureOf(start(files))).hasMessageContaining(key + " has a passphrase");
    replace("tls.key", AUTHORITY.issue("localhost").keyPem());
    assertThat(failureOf(start(files)))
        .hasMessage(
            "the key in %s does not belong to the certificate in %s".formatted(key, certificate));
    replace("tls.crt", good.keyPem());
    assertThat(failureOf(start(files)))
        .hasMessage("QUEEN_TLS_CERT: %s has no certificate in PEM".formatted(certificate));
    assertThat(
            failureOf(
                HttpFront.check(
                    vertx, Protections.on(new HttpConfig("", 0)).https(files).config())))
        .isInstanceOf(HttpStartException.class);
  }

  @Test
  void expiredCertificate_isTold() throws Exception {
    write(AUTHORITY.issue("localhost", Instant.now().minusSeconds(60)));
    await(start(files(ClientCertificates.NONE)));

    assertThat(lines())
        .singleElement()
        .asString()
        .contains("TLS certificate of CN=localhost has expired");
  }

  @Test
  void clientCertificates_areAskedFor() throws Exception {
    write(AUTHORITY.issue("localhost"));
    replace("ca.crt", AUTHORITY.pem());
    SSLContext known = TlsClient.trusting(AUTHORITY, Optional.of(AUTHORITY.issue("bee")));
    SSLContext unknown = TlsClient.trusting(AUTHORITY, Optional.of(STRANGER.issue("bee")));

    HttpFront strict = await(start(files(ClientCertificates.REQUIRED)));
    assertThat(get(strict, known).statusCode()).isEqualTo(200);
    assertThatThrownBy(() -> get(strict, ANYBODY)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> get(strict, unknown)).isInstanceOf(IOException.class);

    HttpFront kind = await(start(files(ClientCertificates.REQUEST)));
    assertThat(get(kind, known).statusCode()).isEqualTo(200);
    assertThat(get(kind, ANYBODY).statusCode()).isEqualTo(200);
    assertThatThrownBy(() -> get(kind, unknown)).isInstanceOf(IOException.class);

    // The authority that signs is read again as well.
    replace("ca.crt", STRANGER.pem());
    await().until(() -> works(strict, unknown));
    assertThatThrownBy(() -> get(strict, known)).isInstanceOf(IOException.class);
  }

  private static boolean works(HttpFront front, SSLContext tls) {
    try {
      return get(front, tls).statusCode() == 200;
    } catch (Exception e) {
      return false;
    }
  }
}
