package dev.queenmq.server.config;

import static dev.queenmq.server.config.Setting.choice;
import static dev.queenmq.server.config.Setting.millis;
import static dev.queenmq.server.config.Setting.number;
import static dev.queenmq.server.config.Setting.path;

import dev.queenmq.server.config.values.AddressBlock;
import dev.queenmq.server.config.values.ClientCertificates;
import dev.queenmq.server.config.values.CorsOrigins;
import dev.queenmq.server.config.values.HostNames;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How the HTTP port is protected.
 *
 * @param https the files to speak TLS with; empty means plain text
 * @param origins the web pages that may use the broker
 * @param hosts the names that the broker answers to
 * @param trustedProxies proxies whose {@code X-Forwarded-For} is trusted
 * @param maxConnections in all
 * @param maxConnectionsPerAddress of one client address
 * @param maxWaitingPerAddress pops of one client address that may wait
 * @param maxRequestRate requests a second with one token; 0 means any
 * @param headTimeout until the headers of a first request are there, and TLS has been agreed on
 * @param idleTimeout without a request
 * @param minBodyRate bytes a second that a body must come with
 */
public record ProtectionConfig(
    Optional<Https> https,
    CorsOrigins origins,
    HostNames hosts,
    List<AddressBlock> trustedProxies,
    int maxConnections,
    int maxConnectionsPerAddress,
    int maxWaitingPerAddress,
    int maxRequestRate,
    Duration headTimeout,
    Duration idleTimeout,
    int minBodyRate) {
  static final Setting<Path> QUEEN_TLS_CERT =
      path(
          "QUEEN_TLS_CERT",
          "",
          "PEM file of the server's certificate and of those that lead from it to an authority."
              + " With it the port speaks TLS 1.2 and 1.3, and nothing else.");
  static final Setting<Path> QUEEN_TLS_KEY =
      path(
          "QUEEN_TLS_KEY",
          "",
          "PEM file of the private key of `QUEEN_TLS_CERT`, without a passphrase.");
  static final Setting<Path> QUEEN_TLS_CLIENT_CA =
      path(
          "QUEEN_TLS_CLIENT_CA",
          "",
          "PEM file of the authorities that sign the certificates of clients.");
  static final Setting<ClientCertificates> QUEEN_TLS_CLIENT_AUTH =
      choice(
              "QUEEN_TLS_CLIENT_AUTH",
              ClientCertificates.NONE,
              "Whether clients must show a certificate (`required`), may (`request`), or are not"
                  + " asked.")
          .otherwise("`required` with `QUEEN_TLS_CLIENT_CA`, otherwise `none`");
  static final Setting<Duration> QUEEN_TLS_RELOAD_MS =
      millis(
          "QUEEN_TLS_RELOAD_MS",
          5_000,
          100,
          3_600_000,
          "How often these files are checked, in milliseconds. When they have changed, new"
              + " connections get the new certificate; invalid files change nothing.");

  static final Setting<CorsOrigins> QUEEN_CORS_ORIGINS =
      new Setting<>(
          "QUEEN_CORS_ORIGINS",
          "own",
          "own, none, *, or a list of scheme://host or scheme://host:port, separated by commas",
          "Web pages that may use the broker, by their origin, besides those of its own: no others"
              + " (`own`; `none` also leaves out the CORS headers), all (`*`), or those of a list."
              + " What other pages send is answered 403.",
          CorsOrigins::parse);
  static final Setting<HostNames> QUEEN_ALLOWED_HOSTS =
      new Setting<>(
          "QUEEN_ALLOWED_HOSTS",
          "",
          "a list of host names without ports, separated by commas",
          "Names that the broker answers to, against DNS rebinding: a request with another `Host`"
              + " is answered 421. IP addresses and `localhost` are always good. Absent: any name.",
          HostNames::parse);
  static final Setting<List<AddressBlock>> QUEEN_TRUSTED_PROXIES =
      new Setting<>(
          "QUEEN_TRUSTED_PROXIES",
          "",
          "a list of addresses or blocks like 10.0.0.0/8, separated by commas",
          "Proxies whose `X-Forwarded-For` is trusted; from others it is ignored. Limits for an address"
              + " then count the client's, and the connections of these proxies count only in all.",
          AddressBlock::list);

  static final Setting<Integer> QUEEN_MAX_CONNECTIONS =
      number(
              "QUEEN_MAX_CONNECTIONS",
              1,
              1,
              10_000_000,
              "Connections that may be open at once; further ones are closed at once.")
          .otherwise(Machine.MOST_CONNECTIONS + ", at most 3/4 of the files that may be open");
  static final Setting<Integer> QUEEN_MAX_CONNECTIONS_PER_ADDRESS =
      number(
              "QUEEN_MAX_CONNECTIONS_PER_ADDRESS",
              1,
              1,
              10_000_000,
              "Connections of one address that may be open at once; the first 64 bits of an"
                  + " IPv6 address count.")
          .otherwise("half of `QUEEN_MAX_CONNECTIONS`");
  static final Setting<Integer> QUEEN_MAX_WAITING_PER_ADDRESS =
      number(
          "QUEEN_MAX_WAITING_PER_ADDRESS",
          10_000,
          1,
          10_000_000,
          "Pops of one client address that may wait at once; further ones are answered 429.");
  static final Setting<Integer> QUEEN_MAX_REQUESTS_PER_SECOND_PER_TOKEN =
      number(
          "QUEEN_MAX_REQUESTS_PER_SECOND_PER_TOKEN",
          0,
          0,
          10_000_000,
          "Requests a second with the same `Authorization` header or, without one, from the"
              + " same client address, at this broker; further ones are answered 429. 0 means"
              + " any number. `/health` is exempt, because orchestrators restart what does not"
              + " answer it.");
  static final Setting<Duration> QUEEN_HEAD_TIMEOUT_MS =
      millis(
          "QUEEN_HEAD_TIMEOUT_MS",
          10_000,
          100,
          600_000,
          "How long the TLS handshake of a new connection, and then the head of its first"
              + " request, may take, in milliseconds. After that it is closed.");
  static final Setting<Duration> QUEEN_IDLE_TIMEOUT_MS =
      millis(
          "QUEEN_IDLE_TIMEOUT_MS",
          60_000,
          100,
          3_600_000,
          "How long a connection may wait for the head of its next request, and how long a body"
              + " may pause, in milliseconds. After that it is closed.");
  static final Setting<Integer> QUEEN_MIN_BODY_BYTES_PER_SECOND =
      number(
          "QUEEN_MIN_BODY_BYTES_PER_SECOND",
          256,
          0,
          1 << 20,
          "Bytes a second that a body, or a large answer, must reach in each"
              + " `QUEEN_HEAD_TIMEOUT_MS`; otherwise its connection is closed. 0 means any"
              + " number.");

  static final Setting.Group GROUP =
      new Setting.Group(
          "Protection of the HTTP port",
          List.of(
              QUEEN_TLS_CERT,
              QUEEN_TLS_KEY,
              QUEEN_TLS_CLIENT_CA,
              QUEEN_TLS_CLIENT_AUTH,
              QUEEN_TLS_RELOAD_MS,
              QUEEN_CORS_ORIGINS,
              QUEEN_ALLOWED_HOSTS,
              QUEEN_TRUSTED_PROXIES,
              QUEEN_MAX_CONNECTIONS,
              QUEEN_MAX_CONNECTIONS_PER_ADDRESS,
              QUEEN_MAX_WAITING_PER_ADDRESS,
              QUEEN_MAX_REQUESTS_PER_SECOND_PER_TOKEN,
              QUEEN_HEAD_TIMEOUT_MS,
              QUEEN_IDLE_TIMEOUT_MS,
              QUEEN_MIN_BODY_BYTES_PER_SECOND));

  static ProtectionConfig read(SettingsReader reader) {
    int connections =
        reader.optional(QUEEN_MAX_CONNECTIONS).orElseGet(reader.machine()::connections);
    return new ProtectionConfig(
        https(reader),
        reader.value(QUEEN_CORS_ORIGINS),
        reader.optional(QUEEN_ALLOWED_HOSTS).orElseGet(HostNames::any),
        reader.optional(QUEEN_TRUSTED_PROXIES).orElse(List.of()),
        connections,
        reader
            .optional(QUEEN_MAX_CONNECTIONS_PER_ADDRESS)
            .orElseGet(() -> Math.max(1, connections / 2)),
        reader.value(QUEEN_MAX_WAITING_PER_ADDRESS),
        reader.value(QUEEN_MAX_REQUESTS_PER_SECOND_PER_TOKEN),
        reader.value(QUEEN_HEAD_TIMEOUT_MS),
        reader.value(QUEEN_IDLE_TIMEOUT_MS),
        reader.value(QUEEN_MIN_BODY_BYTES_PER_SECOND));
  }

  private static Optional<Https> https(SettingsReader reader) {
    Optional<Path> certificate = reader.optional(QUEEN_TLS_CERT);
    Optional<Path> key = reader.optional(QUEEN_TLS_KEY);
    Optional<Path> authorities = reader.optional(QUEEN_TLS_CLIENT_CA);
    ClientCertificates clients =
        reader
            .optional(QUEEN_TLS_CLIENT_AUTH)
            .orElse(
                authorities.isPresent() ? ClientCertificates.REQUIRED : ClientCertificates.NONE);
    Duration reload = reader.value(QUEEN_TLS_RELOAD_MS);
    if (certificate.isPresent() != key.isPresent()) {
      reader.mistake("QUEEN_TLS_CERT and QUEEN_TLS_KEY need each other, but only one is set");
    }
    if (certificate.isEmpty() && (authorities.isPresent() || clients != ClientCertificates.NONE)) {
      reader.mistake(
          "certificates of clients are asked for, but there is no TLS without QUEEN_TLS_CERT and"
              + " QUEEN_TLS_KEY");
    } else if (authorities.isEmpty() && clients != ClientCertificates.NONE) {
      reader.mistake(
          "QUEEN_TLS_CLIENT_AUTH asks for certificates of clients, but QUEEN_TLS_CLIENT_CA does not"
              + " say who signs them");
    }
    return certificate.flatMap(
        file -> key.map(its -> new Https(file, its, authorities, clients, reload)));
  }

  /**
   * The files that the HTTP server speaks TLS with, all PEM.
   *
   * @param certificate the server's own, and then those that lead from it to an authority
   * @param key that belongs to it
   * @param clientAuthorities the authorities that sign the certificates of clients; present if
   *     these are asked for
   * @param clients whether clients must show a certificate
   * @param reload how often the files are looked at
   */
  public record Https(
      Path certificate,
      Path key,
      Optional<Path> clientAuthorities,
      ClientCertificates clients,
      Duration reload) {}

  /** Copies the list. */
  public ProtectionConfig {
    trustedProxies = List.copyOf(trustedProxies);
  }
}
