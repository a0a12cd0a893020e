package dev.queenmq.server.udpsync;

import java.time.Duration;
import java.util.List;

/**
 * How a broker takes part in the exchange. Not for comparing: the secret is an array.
 *
 * @param serverId its name among its peers, unique: 1 to 31 visible ASCII characters
 * @param bindHost address that the socket binds to
 * @param port that the socket binds to; 0 means any free one
 * @param peers the others; the broker's own address may be among them
 * @param secret the 32 bytes of the key that all share
 * @param receiveBufferBytes of the socket
 * @param heartbeat how often peers are heard at least; lookups of names out of turn are no more
 *     frequent
 * @param deadThreshold after which a silent peer counts as dead
 */
@SuppressWarnings("ArrayRecordComponent")
public record UdpOptions(
    String serverId,
    String bindHost,
    int port,
    List<PeerAddress> peers,
    byte[] secret,
    int receiveBufferBytes,
    Duration heartbeat,
    Duration deadThreshold) {

  /** Checks what a mistake in wiring could get wrong. */
  public UdpOptions {
    if (!PacketCodec.isSender(serverId)) {
      throw new IllegalArgumentException("'%s' is no id of a broker".formatted(serverId));
    }
    if (secret.length != PacketCodec.KEY) {
      throw new IllegalArgumentException(
          "the secret must have %d bytes".formatted(PacketCodec.KEY));
    }
    peers = List.copyOf(peers);
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "UdpOptions[%s on %s, peers %s]"
        .formatted(serverId, Endpoint.text(bindHost, port), peers);
  }
}
