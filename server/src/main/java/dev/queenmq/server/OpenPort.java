package dev.queenmq.server;

import dev.queenmq.server.config.HttpConfig;
import dev.queenmq.server.config.ProtectionConfig.Https;
import dev.queenmq.server.config.ServerConfig;
import dev.queenmq.server.config.values.ClientCertificates;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/** Warns about a port that is open to the network without authentication. */
final class OpenPort {

  private OpenPort() {}

  /**
   * The warning; empty if the port is protected. The host name has been resolved before, to listen
   * there.
   */
  static Optional<String> warning(ServerConfig config) {
    HttpConfig http = config.http();
    boolean certificates =
        http.protection()
            .https()
            .map(Https::clients)
            .filter(clients -> clients == ClientCertificates.REQUIRED)
            .isPresent();
    if (config.auth().enabled() || certificates || isLoopback(http.host())) {
      return Optional.empty();
    }
    return Optional.of(
        "Any client that reaches this broker at %s may read, change and delete everything. Ask for tokens (JWT_ENABLED=true, docs/security.md) or for certificates of clients (QUEEN_TLS_CLIENT_CA, docs/hardening.md), or listen on this machine only (HOST=127.0.0.1)"
            .formatted(http.host()));
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
