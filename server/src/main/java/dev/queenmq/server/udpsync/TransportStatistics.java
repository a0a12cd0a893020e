package dev.queenmq.server.udpsync;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a transport has done since its start.
 *
 * @param packetsSent one for each receiver
 * @param bytesSent of packets, without what the network adds
 * @param packetsReceived that were genuine and new
 * @param bytesReceived of all that arrived, dropped or not
 * @param dropped what arrived and went no further, by reason; every reason is there
 * @param sendErrors packets that the system refused to send
 * @param tooLarge payloads that were refused because they have no room in a packet
 * @param overloaded packets that were not sent because too many waited
 * @param handlerFailures packets that the handler failed on
 * @param receiveBufferBytes what the system grants of the receive buffer that was asked for; 0 if
 *     that is not known, as before the start
 * @param configured the peers of the configuration; this broker itself is none of them
 * @param heard the brokers that genuine packets came from
 */
public record TransportStatistics(
    long packetsSent,
    long bytesSent,
    long packetsReceived,
    long bytesReceived,
    Map<DropReason, Long> dropped,
    long sendErrors,
    long tooLarge,
    long overloaded,
    long handlerFailures,
    long receiveBufferBytes,
    List<ConfiguredPeer> configured,
    List<HeardPeer> heard) {

  /** How many addresses of peers are known; one that several names stand for counts once. */
  public long peerAddresses() {
    return configured.stream().flatMap(peer -> peer.addresses().stream()).distinct().count();
  }

  /**
   * A peer of the configuration.
   *
   * @param name host and port as written there
   * @param addresses that it stands for at the moment, without this broker's own
   */
  public record ConfiguredPeer(String name, List<String> addresses) {}

  /**
   * A broker that was heard.
   *
   * @param address that packets for it go to
   * @param session that it is in
   * @param silentFor time since its last packet that counted
   * @param packets that counted
   */
  public record HeardPeer(
      String serverId, String address, SessionId session, Duration silentFor, long packets) {}
}
