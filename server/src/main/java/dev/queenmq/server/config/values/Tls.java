package dev.queenmq.server.config.values;

import java.nio.file.Path;
import java.util.Optional;

/** How the line to PostgreSQL is protected. */
public sealed interface Tls {

  /** Plain text: loopback, or a network that is protected otherwise. */
  record Off() implements Tls {}

  /**
   * Encrypted, but the server's certificate is not checked.
   *
   * @param client what is shown to it, if anything
   */
  record Unverified(Optional<ClientCertificate> client) implements Tls {
    /** Without a certificate of our own. */
    public Unverified() {
      this(Optional.empty());
    }
  }

  /**
   * Encrypted, and both the certificate chain and the host name are checked.
   *
   * @param rootCertificate PEM file of the trusted authorities; empty means those of the JVM
   * @param client what is shown to it, if anything
   */
  record Verified(Optional<Path> rootCertificate, Optional<ClientCertificate> client)
      implements Tls {
    /** Without a certificate of our own. */
    public Verified(Optional<Path> rootCertificate) {
      this(rootCertificate, Optional.empty());
    }
  }
}
