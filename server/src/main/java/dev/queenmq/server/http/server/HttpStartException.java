package dev.queenmq.server.http.server;

/** The HTTP server could not start; the message says where and why. */
public final class HttpStartException extends RuntimeException {

  HttpStartException(String message, Throwable cause) {
    super(message, cause);
  }
}
