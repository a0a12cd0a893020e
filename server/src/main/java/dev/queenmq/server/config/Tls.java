package dev.queenmq.server.config;

import java.nio.file.Path;
import java.util.Optional;

/** How the line to PostgreSQL is protected. */
public sealed interface Tls {

  /** Plain text: loopback, or a network that somebody else protects. */
  record Off() implements Tls {}

  /** Encrypted, but whoever answers is believed. */
  record Unverified() implements Tls {}

  /**
   * Encrypted, and both the certificate chain and the host name are checked.
   *
   * @param rootCertificate PEM file of the trusted authorities; empty means those of the JVM
   */
  record Verified(Optional<Path> rootCertificate) implements Tls {}
}
