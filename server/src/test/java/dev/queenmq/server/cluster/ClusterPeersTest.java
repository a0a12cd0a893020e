package dev.queenmq.server.cluster;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.admin.QueueDirectory;
import dev.queenmq.server.sharedstate.Environment;
import dev.queenmq.server.sharedstate.MaintenanceFlags;
import dev.queenmq.server.sharedstate.SharedState;
import dev.queenmq.server.sharedstate.SharedStateOptions;
import dev.queenmq.server.sharedstate.SyncLink;
import dev.queenmq.server.sharedstate.SyncMessage;
import dev.queenmq.server.sharedstate.SyncMessageCodec;
import dev.queenmq.server.udpsync.PeerAddress;
import dev.queenmq.server.udpsync.UdpOptions;
import dev.queenmq.server.udpsync.UdpTransport;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.DatagramSocket;
import java.net.SocketException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A broker whose list of peers has its own address too, as every broker's list may. */
class ClusterPeersTest {
  private static final String HOST = "127.0.0.1";
  private static final QueueDirectory NO_DATABASE =
      new QueueDirectory((sql, arguments) -> Future.failedFuture("no database"), (short) 0);

  private final Vertx vertx = Vertx.vertx();
  private final int own = freePort();
  // No broker has to listen there.
  private final int other = own - 1;
  private final UdpTransport transport =
      new UdpTransport(
          vertx,
          new UdpOptions(
              "A",
              HOST,
              own,
              List.of(new PeerAddress(HOST, own), new PeerAddress(HOST, other)),
              new byte[32],
              1 << 20,
              Duration.ofSeconds(1),
              Duration.ofSeconds(5)),
          InstantSource.system(),
          System::nanoTime);
  private final SharedState state =
      SharedState.withPeers(SharedStateOptions.defaults("A"), new NoLink(), surroundings());

  @BeforeEach
  void start() {
    await(transport.start());
  }

  @AfterEach
  void stop() {
    await(vertx.close());
  }

  @Test
  void inTouch_asSoonAsTheOthersAreHeard() {
    ClusterPeers peers = new ClusterPeers(state, Optional.of(transport), NO_DATABASE);
    peers.look();
    assertThat(peers.inTouch(0)).isFalse();

    heartbeatOf("B");
    peers.look();

    assertThat(peers.inTouch(1)).isTrue();
    assertThat(peers.inTouch(2)).as("one that tells nothing").isFalse();
  }

  @Test
  void statistics_countTheOthersOnly_andShowTheBufferThatWasGranted() {
    JsonObject shown = ClusterStatistics.transport("A", transport);

    String address = HOST + ":" + other;
    assertThat(shown.getInteger("peer_count")).isEqualTo(1);
    assertThat(shown.getJsonArray("peers"))
        .isEqualTo(
            new JsonArray()
                .add(
                    new JsonObject()
                        .put("name", address)
                        .put("resolved", true)
                        .put("addresses", new JsonArray().add(address))));
    assertThat(shown.getLong("receive_buffer_bytes")).isPositive();
  }

  private void heartbeatOf(String server) {
    SyncMessage heartbeat =
        new SyncMessage.Heartbeat(0, false, new SyncMessage.PresencePart(1, 0, 1, List.of()));
    state.receive(server, "1", heartbeat.type(), SyncMessageCodec.encode(heartbeat).get(0));
  }

  private static Environment surroundings() {
    return new Environment(
        () -> CompletableFuture.completedFuture(Map.of()),
        () ->
            CompletableFuture.completedFuture(
                new MaintenanceFlags.Flags(Optional.empty(), Optional.empty())),
        new ClusterEvents(NO_DATABASE),
        System::currentTimeMillis);
  }

  private static int freePort() {
    try (DatagramSocket socket = new DatagramSocket()) {
      return socket.getLocalPort();
    } catch (SocketException e) {
      throw new AssertionError(e);
    }
  }

  private record NoLink() implements SyncLink {
    @Override
    public boolean send(String serverId, int type, byte[] payload) {
      return true;
    }

    @Override
    public void broadcast(int type, byte[] payload) {}
  }
}
