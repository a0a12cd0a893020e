package dev.queenmq.server.postgres;

import dev.queenmq.server.config.SessionConfig;
import dev.queenmq.server.config.values.ClientCertificate;
import dev.queenmq.server.config.values.Pooler;
import dev.queenmq.server.config.values.PostgresEndpoint;
import dev.queenmq.server.config.values.Tls;
import io.vertx.core.Vertx;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.TrustOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import javax.net.ssl.TrustManagerFactory;

/**
 * Builds the driver's options from ours, in this one place.
 *
 * <p>Never copy the result with the driver's copy constructor: it forgets {@code useLayer7Proxy}.
 */
public final class ConnectOptions {

  /*
   * What a pooler in transaction mode changes. Between two transactions the same client connection
   * may reach another server connection, so nothing may be remembered there:
   *
   * - Start-up parameters: PgBouncer refuses those that it does not track, among them the driver's
   *   default extra_float_digits (needless since PostgreSQL 12) and all timeouts. SET would leak
   *   into other clients' transactions. So behind a pooler no timeout is set for the session; a
   * role
   *   or database setting takes its place.
   * - Prepared statements: named ones vanish (unless the pooler carries them along), and even an
   *   unnamed one is lost between Parse and Bind when these end in separate Syncs. The driver's
   *   layer 7 mode sends both under one Sync.
   */

  private static final int CACHED_STATEMENTS = 256;

  /** The driver's own limit is 2048 characters; what is longer it prepares for every call. */
  private static final int CACHED_STATEMENT_LENGTH = 16_384;

  /*
   * One plan for a plain statement, whatever the statistics say, as procedures have one by what is
   * set on them: made once for a session, through an index, by rows in the order of its keys. That
   * is the order of the locks, so these are more than a matter of speed. Joins stay as they are:
   * procedures that run on the same connections join unnested arrays, and would do it row by row.
   */
  private static final Map<String, String> FIXED_PLANS =
      Map.of(
          "plan_cache_mode", "force_generic_plan",
          "enable_seqscan", "off",
          "enable_bitmapscan", "off",
          "jit", "off");

  private static final Set<String> PROTOCOLS = Set.of("TLSv1.2", "TLSv1.3");

  private ConnectOptions() {}

  /** The driver's options for this server; {@code AUTO} counts as no pooler. */
  public static PgConnectOptions of(PostgresEndpoint endpoint, SessionConfig session) {
    return options(endpoint, session, Map.of());
  }

  /**
   * The same for connections that push, pop and ack: plain statements have one plan there. Behind a
   * pooler nothing can be set for a session, and the procedures bring their settings themselves.
   */
  public static PgConnectOptions forStore(PostgresEndpoint endpoint, SessionConfig session) {
    return options(endpoint, session, behindPooler(session.pooler()) ? Map.of() : FIXED_PLANS);
  }

  private static PgConnectOptions options(
      PostgresEndpoint endpoint, SessionConfig session, Map<String, String> settings) {
    Map<String, String> parameters = new HashMap<>(settings);
    parameters.put("application_name", "queen");
    parameters.put("client_encoding", "utf8");
    parameters.put("DateStyle", "ISO");
    if (!behindPooler(session.pooler())) {
      parameters.put("statement_timeout", millis(session.statementTimeout().toMillis()));
      parameters.put("lock_timeout", millis(session.lockTimeout().toMillis()));
    }
    PgConnectOptions options =
        new PgConnectOptions()
            .setHost(endpoint.host())
            .setPort(endpoint.port())
            .setDatabase(endpoint.database())
            .setUser(endpoint.user())
            .setPassword(endpoint.password().value())
            .setProperties(parameters)
            .setCachePreparedStatements(session.pooler() != Pooler.TRANSACTION)
            .setPreparedStatementCacheMaxSize(CACHED_STATEMENTS)
            .setPreparedStatementCacheSqlLimit(CACHED_STATEMENT_LENGTH)
            .setUseLayer7Proxy(session.pooler() == Pooler.TRANSACTION)
            .setPipeliningLimit(session.pipeliningLimit());
    return secure(options, endpoint.tls());
  }

  private static boolean behindPooler(Pooler pooler) {
    return switch (pooler) {
      case AUTO, NONE -> false;
      case TRANSACTION, TRANSACTION_PREPARED -> true;
    };
  }

  private static String millis(long value) {
    return value + "ms";
  }

  private static PgConnectOptions secure(PgConnectOptions options, Tls tls) {
    if (tls instanceof Tls.Verified verified) {
      TrustOptions trust =
          verified
              .rootCertificate()
              .<TrustOptions>map(file -> new PemTrustOptions().addCertPath(file.toString()))
              .orElseGet(ConnectOptions::trustOfTheJvm);
      return options
          .setSslMode(SslMode.VERIFY_FULL)
          .setSslOptions(
              show(verified.client())
                  .setTrustOptions(trust)
                  .setHostnameVerificationAlgorithm("HTTPS"));
    }
    if (tls instanceof Tls.Unverified unverified) {
      return options
          .setSslMode(SslMode.REQUIRE)
          .setSslOptions(
              show(unverified.client()).setTrustAll(true).setHostnameVerificationAlgorithm(""));
    }
    return options.setSslMode(SslMode.DISABLE);
  }

  private static ClientSSLOptions show(Optional<ClientCertificate> client) {
    ClientSSLOptions options = new ClientSSLOptions().setEnabledSecureTransportProtocols(PROTOCOLS);
    client.ifPresent(
        own ->
            options.setKeyCertOptions(
                new PemKeyCertOptions()
                    .setCertPath(own.certificate().toString())
                    .setKeyPath(own.key().toString())));
    return options;
  }

  /** Which file is missing that the line needs, as the driver would only say that it failed. */
  static Optional<String> missingFile(Tls tls) {
    Map<String, Path> files = new LinkedHashMap<>();
    rootCertificate(tls).ifPresent(file -> files.put("PG_SSL_ROOT_CERT", file));
    client(tls)
        .ifPresent(
            own -> {
              files.put("PG_SSL_CERT", own.certificate());
              files.put("PG_SSL_KEY", own.key());
            });
    return files.entrySet().stream()
        .filter(file -> !Files.isReadable(file.getValue()))
        .map(
            file ->
                "%s: %s is not there or may not be read".formatted(file.getKey(), file.getValue()))
        .findFirst();
  }

  /** Which file is there and is not what it should be. Blocks. */
  static Optional<String> badFile(Vertx vertx, Tls tls) {
    Optional<Path> root = rootCertificate(tls);
    if (root.isPresent()
        && !loads(
            () ->
                new PemTrustOptions()
                    .addCertPath(root.get().toString())
                    .getTrustManagerFactory(vertx))) {
      return Optional.of("PG_SSL_ROOT_CERT: %s has no certificate in PEM".formatted(root.get()));
    }
    return client(tls)
        .filter(
            own ->
                !loads(
                    () ->
                        new PemKeyCertOptions()
                            .setCertPath(own.certificate().toString())
                            .setKeyPath(own.key().toString())
                            .getKeyManagerFactory(vertx)))
        .map(
            own ->
                "PG_SSL_CERT, PG_SSL_KEY: %s and %s are not a certificate and its key in PEM"
                    .formatted(own.certificate(), own.key()));
  }

  /** The messages of parsers do not help, and might contain the key. */
  private static boolean loads(Callable<?> file) {
    try {
      return file.call() != null;
    } catch (Exception e) {
      return false;
    }
  }

  private static Optional<Path> rootCertificate(Tls tls) {
    return tls instanceof Tls.Verified verified ? verified.rootCertificate() : Optional.empty();
  }

  private static Optional<ClientCertificate> client(Tls tls) {
    if (tls instanceof Tls.Verified verified) {
      return verified.client();
    }
    return tls instanceof Tls.Unverified unverified ? unverified.client() : Optional.empty();
  }

  /** The driver insists on explicit trust, so name the JVM's own. */
  private static TrustOptions trustOfTheJvm() {
    try {
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init((KeyStore) null);
      return TrustOptions.wrap(factory.getTrustManagers()[0]);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JVM has no usable trust store", e);
    }
  }
}
