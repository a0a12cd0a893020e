package dev.queenmq.server.config;

import static dev.queenmq.server.config.Setting.flag;
import static dev.queenmq.server.config.Setting.path;
import static dev.queenmq.server.config.Setting.secret;
import static dev.queenmq.server.config.Setting.text;

import dev.queenmq.server.config.values.ClientCertificate;
import dev.queenmq.server.config.values.PostgresEndpoint;
import dev.queenmq.server.config.values.Secret;
import dev.queenmq.server.config.values.Tls;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Where the PostgreSQL comes from. */
public sealed interface PostgresSource {

  /**
   * The broker runs its own.
   *
   * @param dataFolder everything that it keeps
   * @param binFolder of an installation to use instead of the bundled binaries
   */
  record Embedded(Path dataFolder, Optional<Path> binFolder) implements PostgresSource {}

  /**
   * The operator runs it.
   *
   * @param servers of one cluster, of which one takes writes; at least one
   * @param allowUnsafe whether it is used although its settings could lose commits
   */
  record External(List<PostgresEndpoint> servers, boolean allowUnsafe) implements PostgresSource {

    /** Copies the list. */
    public External {
      servers = List.copyOf(servers);
    }

    /** A single server. */
    public External(PostgresEndpoint server, boolean allowUnsafe) {
      this(List.of(server), allowUnsafe);
    }

    /** How connections are encrypted: the same for all servers. */
    public Tls tls() {
      return servers.get(0).tls();
    }
  }

  Setting<Path> QUEEN_DATA_DIR =
      path(
          "QUEEN_DATA_DIR",
          "./data",
          "Folder of the embedded PostgreSQL, used when `PG_HOST` is absent. It survives"
              + " restarts.");
  Setting<Path> QUEEN_PG_BIN =
      path(
          "QUEEN_PG_BIN",
          "",
          "`bin` folder of a PostgreSQL installation that the embedded mode runs instead of the"
              + " bundled one.");
  Setting<List<PostgresHosts.Host>> PG_HOST =
      new Setting<>(
          "PG_HOST",
          "",
          "a host, or a comma list of hosts with or without a port",
          "Host of your own PostgreSQL (14 or newer). Several, separated by commas and each with or"
              + " without `:port`, are servers of one cluster: the broker follows the one that takes"
              + " writes. Absent: embedded.",
          PostgresHosts::hosts);
  Setting<List<Integer>> PG_PORT =
      new Setting<>(
          "PG_PORT",
          "5432",
          "a whole number from 1 to 65535",
          "Port of your PostgreSQL. With several hosts: one for all, or a comma list with one for each.",
          PostgresHosts::ports);
  Setting<String> PG_DB = text("PG_DB", "postgres", "Database for the schema `queen`.");
  Setting<String> PG_USER = text("PG_USER", "postgres", "User that the broker connects as.");
  Setting<Secret> PG_PASSWORD =
      secret("PG_PASSWORD", "", "Password of that user. Absent: the broker connects without one.");
  Setting<Boolean> PG_USE_SSL =
      flag("PG_USE_SSL", false, "Encrypt the connection, and accept no other.");
  Setting<Boolean> PG_SSL_REJECT_UNAUTHORIZED =
      flag(
          "PG_SSL_REJECT_UNAUTHORIZED",
          true,
          "With SSL: check the server's certificate and that it is for this host name.");
  Setting<Path> PG_SSL_ROOT_CERT =
      path(
          "PG_SSL_ROOT_CERT",
          "",
          "With SSL: PEM file of the authorities to trust. Absent: those that the JVM trusts.");
  Setting<Path> PG_SSL_CERT =
      path(
          "PG_SSL_CERT",
          "",
          "With SSL: PEM file of the certificate that this broker shows to PostgreSQL.");
  Setting<Path> PG_SSL_KEY =
      path("PG_SSL_KEY", "", "PEM file of the private key of `PG_SSL_CERT`, without a passphrase.");
  Setting<Boolean> QUEEN_ALLOW_UNSAFE_POSTGRES =
      flag(
          "QUEEN_ALLOW_UNSAFE_POSTGRES",
          false,
          "Use your PostgreSQL although it runs with `fsync` or `synchronous_commit` off, and could"
              + " lose messages that were answered. `/health` says so.");

  static PostgresSource read(SettingsReader reader) {
    // Both kinds are read in any case, so that a mistake in either is reported.
    PostgresSource embedded =
        new PostgresSource.Embedded(reader.value(QUEEN_DATA_DIR), reader.optional(QUEEN_PG_BIN));
    List<PostgresEndpoint> own = servers(reader);
    boolean allowUnsafe = reader.value(QUEEN_ALLOW_UNSAFE_POSTGRES);
    return own.isEmpty() ? embedded : new PostgresSource.External(own, allowUnsafe);
  }

  private static List<PostgresEndpoint> servers(SettingsReader reader) {
    List<PostgresHosts.Host> hosts = reader.optional(PG_HOST).orElse(List.of());
    List<Integer> ports = reader.value(PG_PORT);
    String database = reader.value(PG_DB);
    String user = reader.value(PG_USER);
    Secret password = reader.optional(PG_PASSWORD).orElse(new Secret(""));
    Tls tls = tls(reader);
    if (hosts.isEmpty()) {
      return List.of();
    }
    try {
      return PostgresHosts.together(hosts, ports).stream()
          .map(
              each -> new PostgresEndpoint(each.host(), each.port(), database, user, password, tls))
          .toList();
    } catch (IllegalArgumentException e) {
      reader.mistake(String.valueOf(e.getMessage()));
      return List.of();
    }
  }

  private static Tls tls(SettingsReader reader) {
    boolean encrypt = reader.value(PG_USE_SSL);
    boolean verify = reader.value(PG_SSL_REJECT_UNAUTHORIZED);
    Optional<Path> rootCertificate = reader.optional(PG_SSL_ROOT_CERT);
    Optional<Path> certificate = reader.optional(PG_SSL_CERT);
    Optional<Path> key = reader.optional(PG_SSL_KEY);
    if (certificate.isPresent() != key.isPresent()) {
      reader.mistake("PG_SSL_CERT and PG_SSL_KEY need each other, but only one is set");
    }
    if (!encrypt) {
      return new Tls.Off();
    }
    Optional<ClientCertificate> client =
        certificate.flatMap(file -> key.map(its -> new ClientCertificate(file, its)));
    return verify ? new Tls.Verified(rootCertificate, client) : new Tls.Unverified(client);
  }
}
