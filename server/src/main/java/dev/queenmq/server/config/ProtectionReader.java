package dev.queenmq.server.config;

import dev.queenmq.server.config.catalogue.Machine;
import dev.queenmq.server.config.catalogue.ProtectionSettings;
import dev.queenmq.server.config.values.ClientCertificates;
import dev.queenmq.server.config.values.HostNames;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reads what protects the HTTP port, and tells what does not fit together. */
final class ProtectionReader {

  private final ConfigReader settings;
  private final Machine machine;

  ProtectionReader(ConfigReader settings, Machine machine) {
    this.settings = settings;
    this.machine = machine;
  }

  ProtectionConfig read() {
    int connections =
        settings.optional(ProtectionSettings.QUEEN_MAX_CONNECTIONS).orElseGet(machine::connections);
    return new ProtectionConfig(
        https(),
        settings.value(ProtectionSettings.QUEEN_CORS_ORIGINS),
        settings.optional(ProtectionSettings.QUEEN_ALLOWED_HOSTS).orElseGet(HostNames::any),
        settings.optional(ProtectionSettings.QUEEN_TRUSTED_PROXIES).orElse(List.of()),
        connections,
        settings
            .optional(ProtectionSettings.QUEEN_MAX_CONNECTIONS_PER_ADDRESS)
            .orElseGet(() -> Math.max(1, connections / 2)),
        settings.value(ProtectionSettings.QUEEN_MAX_WAITING_PER_ADDRESS),
        settings.value(ProtectionSettings.QUEEN_MAX_REQUESTS_PER_SECOND_PER_TOKEN),
        settings.value(ProtectionSettings.QUEEN_HEAD_TIMEOUT_MS),
        settings.value(ProtectionSettings.QUEEN_IDLE_TIMEOUT_MS),
        settings.value(ProtectionSettings.QUEEN_MIN_BODY_BYTES_PER_SECOND));
  }

  private Optional<HttpsConfig> https() {
    Optional<Path> certificate = settings.optional(ProtectionSettings.QUEEN_TLS_CERT);
    Optional<Path> key = settings.optional(ProtectionSettings.QUEEN_TLS_KEY);
    Optional<Path> authorities = settings.optional(ProtectionSettings.QUEEN_TLS_CLIENT_CA);
    ClientCertificates clients =
        settings
            .optional(ProtectionSettings.QUEEN_TLS_CLIENT_AUTH)
            .orElse(
                authorities.isPresent() ? ClientCertificates.REQUIRED : ClientCertificates.NONE);
    Duration reload = settings.value(ProtectionSettings.QUEEN_TLS_RELOAD_MS);
    if (certificate.isPresent() != key.isPresent()) {
      settings.mistake("QUEEN_TLS_CERT and QUEEN_TLS_KEY need each other, but only one is set");
    }
    if (certificate.isEmpty() && (authorities.isPresent() || clients != ClientCertificates.NONE)) {
      settings.mistake(
          "certificates of clients are asked for, but there is no TLS without QUEEN_TLS_CERT and"
              + " QUEEN_TLS_KEY");
    } else if (authorities.isEmpty() && clients != ClientCertificates.NONE) {
      settings.mistake(
          "QUEEN_TLS_CLIENT_AUTH asks for certificates of clients, but QUEEN_TLS_CLIENT_CA does not"
              + " say who signs them");
    }
    return certificate.flatMap(
        file -> key.map(its -> new HttpsConfig(file, its, authorities, clients, reload)));
  }
}
