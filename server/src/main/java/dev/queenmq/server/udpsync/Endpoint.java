package dev.queenmq.server.udpsync;

import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;

/**
 * An address and a port to send to.
 *
 * @param address in digits
 */
record Endpoint(String address, int port) {

  static Endpoint of(InetAddress address, int port) {
    return new Endpoint(address.getHostAddress(), port);
  }

  static Endpoint of(SocketAddress address) {
    String digits = address.hostAddress();
    return new Endpoint(digits == null ? address.host() : digits, address.port());
  }

  /** The address without the interface that it is reached through, which is a local matter. */
  String bareAddress() {
    int scope = address.indexOf('%');
    return scope < 0 ? address : address.substring(0, scope);
  }

  @Override
  public String toString() {
    return text(address, port);
  }

  static String text(String host, int port) {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
