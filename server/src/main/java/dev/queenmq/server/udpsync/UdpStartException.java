package dev.queenmq.server.udpsync;

/** The UDP socket could not be opened; the message says where and why. */
public final class UdpStartException extends RuntimeException {

  UdpStartException(String message, Throwable cause) {
    super(message, cause);
  }
}
