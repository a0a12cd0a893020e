package dev.queenmq.server.config.values;

/** What is asked of those who connect over TLS. */
public enum ClientCertificates {
  /** Nothing. */
  NONE,
  /** A certificate that is trusted, or none. */
  REQUEST,
  /** A certificate that is trusted. */
  REQUIRED
}
