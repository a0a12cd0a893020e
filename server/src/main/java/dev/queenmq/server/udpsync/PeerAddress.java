package dev.queenmq.server.udpsync;

/**
 * Where other brokers are, as the operator wrote it.
 *
 * @param host a name, which may stand for several addresses, or an address
 * @param port 1 to 65535
 */
public record PeerAddress(String host, int port) {

  @Override
  public String toString() {
    return Endpoint.text(host, port);
  }
}
