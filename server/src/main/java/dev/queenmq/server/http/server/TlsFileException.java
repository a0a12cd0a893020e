package dev.queenmq.server.http.server;

/**
 * A file that TLS cannot be made of; the message says which and why, and nothing of its content.
 */
final class TlsFileException extends Exception {
  private static final long serialVersionUID = 1L;

  TlsFileException(String message) {
    super(message);
  }
}
