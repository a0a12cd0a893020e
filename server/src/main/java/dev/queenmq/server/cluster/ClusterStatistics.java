package dev.queenmq.server.cluster;

import dev.queenmq.server.udpsync.DropReason;
import dev.queenmq.server.udpsync.TransportStatistics;
import dev.queenmq.server.udpsync.UdpTransport;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;

/** The figures of the UDP transport, by the names that operators know. */
final class ClusterStatistics {
  private static final Set<DropReason> SEQUENCE =
      Set.of(DropReason.REPLAYED, DropReason.OLD_SEQUENCE, DropReason.OLD_SESSION);

  private ClusterStatistics() {}

  static JsonObject transport(String serverId, UdpTransport udp) {
    TransportStatistics now = udp.statistics();
    JsonObject dropped = new JsonObject();
    now.dropped().forEach((why, count) -> dropped.put(why.name().toLowerCase(Locale.ROOT), count));
    JsonArray peers = new JsonArray();
    now.configured()
        .forEach(
            peer ->
                peers.add(
                    new JsonObject()
                        .put("name", peer.name())
                        .put("resolved", !peer.addresses().isEmpty())
                        .put("addresses", new JsonArray(peer.addresses()))));
    JsonObject heard = new JsonObject();
    now.heard()
        .forEach(
            peer ->
                heard.put(
                    peer.serverId(),
                    new JsonObject()
                        .put("address", peer.address())
                        .put("silent_ms", peer.silentFor().toMillis())
                        .put("messages", peer.packets())));
    JsonObject identities = new JsonObject();
    now.heard().forEach(peer -> identities.put(peer.address(), peer.serverId()));
    return new JsonObject()
        .put("server_id", serverId)
        .put("session_id", HexFormat.of().toHexDigits(udp.session().nonce()))
        .put("port", udp.port())
        .put("receive_buffer_bytes", now.receiveBufferBytes())
        .put("peer_count", now.configured().size())
        .put("peers", peers)
        .put("learned_identities_count", now.heard().size())
        .put("learned_identities", identities)
        .put("heard", heard)
        .put("messages_sent", now.packetsSent())
        .put("messages_received", now.packetsReceived())
        .put("bytes_sent", now.bytesSent())
        .put("bytes_received", now.bytesReceived())
        .put("messages_dropped", now.dropped().values().stream().mapToLong(Long::longValue).sum())
        .put("dropped", dropped)
        .put("signature_failures", now.dropped().getOrDefault(DropReason.BAD_SIGNATURE, 0L))
        .put(
            "sequence_rejections",
            SEQUENCE.stream().mapToLong(why -> now.dropped().getOrDefault(why, 0L)).sum())
        .put("send_errors", now.sendErrors())
        .put("too_large", now.tooLarge())
        .put("overloaded", now.overloaded());
  }
}
