package dev.queenmq.server.udpsync;

import static dev.queenmq.server.testing.Await.await;
import static dev.queenmq.server.testing.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import dev.queenmq.server.udpsync.TransportStatistics.ConfiguredPeer;
import dev.queenmq.server.udpsync.TransportStatistics.HeardPeer;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class UdpTransportTest {

  private static final String LOOPBACK = "127.0.0.1";

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));

  @AfterEach
  void close() {
    await(vertx.close());
  }

  @Test
  void twoBrokers_hearEachOther() throws SocketException {
    int[] ports = freePorts(2);
    Broker a = broker("a", LOOPBACK, ports[0], peers(LOOPBACK, ports[1]));
    Broker b = broker("b", LOOPBACK, ports[1], peers(LOOPBACK, ports[0]));

    assertThat(b.transport.send("a", 1, new byte[0])).isFalse();
    a.transport.broadcast(3, new byte[] {1, 2});
    await().until(() -> b.received.size() == 1);
    assertThat(b.transport.send("a", 30, new byte[] {4})).isTrue();
    await().until(() -> a.received.size() == 1);

    assertThat(b.received.element())
        .usingRecursiveComparison()
        .isEqualTo(new Packet(3, "a", a.transport.session(), 1, new byte[] {1, 2}));
    assertThat(a.received.element())
        .usingRecursiveComparison()
        .isEqualTo(new Packet(30, "b", b.transport.session(), 1, new byte[] {4}));
    TransportStatistics statistics = a.transport.statistics();
    assertThat(statistics.packetsSent()).isEqualTo(1);
    assertThat(statistics.bytesSent()).isEqualTo(94);
    assertThat(statistics.packetsReceived()).isEqualTo(1);
    assertThat(statistics.bytesReceived()).isEqualTo(93);
    assertThat(statistics.dropped())
        .containsOnlyKeys(DropReason.values())
        .allSatisfy((reason, count) -> assertThat(count).isZero());
    String address = LOOPBACK + ":" + ports[1];
    assertThat(statistics.configured())
        .containsExactly(new ConfiguredPeer(address, List.of(address)));
    assertThat(statistics.heard())
        .extracting(HeardPeer::serverId, HeardPeer::address, HeardPeer::packets)
        .containsExactly(tuple("b", address, 1L));
  }

  @Test
  void threeBrokers_withTheSameList_skipThemselves() throws SocketException {
    int[] ports = freePorts(3);
    List<PeerAddress> all = peers(LOOPBACK, ports);
    List<Broker> brokers =
        List.of(
            broker("a", LOOPBACK, ports[0], all),
            broker("b", "0.0.0.0", ports[1], all),
            broker("c", LOOPBACK, ports[2], all));

    brokers.forEach(broker -> broker.transport.broadcast(3, new byte[0]));

    for (Broker broker : brokers) {
      await().until(() -> broker.received.size() == 2);
      assertThat(broker.received).extracting(Packet::sender).doesNotContain(broker.id);
      assertThat(broker.dropped(DropReason.OWN_PACKET)).isZero();
      TransportStatistics statistics = broker.transport.statistics();
      assertThat(statistics.configured())
          .hasSize(2)
          .allSatisfy(peer -> assertThat(peer.addresses()).hasSize(1))
          .extracting(ConfiguredPeer::name)
          .doesNotContain(LOOPBACK + ":" + broker.transport.port());
      assertThat(statistics.peerAddresses()).isEqualTo(2);
    }
    assertThat(brokers.get(0).transport.send("c", 2, new byte[0])).isTrue();
    await().until(() -> brokers.get(2).received.size() == 3);
    assertThat(brokers.get(1).received).hasSize(2);
  }

  @Test
  void receiveBuffer_isShownAsTheSystemGrantsIt() throws SocketException {
    int[] ports = freePorts(1);
    Broker a = new Broker("a", LOOPBACK, ports[0], List.of(), new byte[32], NameLookup.system());
    assertThat(a.transport.statistics().receiveBufferBytes()).isZero();

    a.start();

    try (DatagramSocket other = new DatagramSocket()) {
      other.setReceiveBufferSize(1 << 20);
      assertThat(a.transport.statistics().receiveBufferBytes())
          .isEqualTo(other.getReceiveBufferSize())
          .isPositive();
    }
  }

  @Test
  void networkThatRepeatsAndReorders_deliversEachPacketOnce() throws SocketException {
    int[] ports = freePorts(2);
    Broker b = broker("b", LOOPBACK, ports[1], peers(LOOPBACK, ports[0]));
    try (UdpProxy proxy = new UdpProxy(ports[1])) {
      Broker a = broker("a", LOOPBACK, ports[0], peers(LOOPBACK, proxy.port()));
      for (int i = 0; i < 2_000; i++) {
        a.transport.broadcast(1, ByteBuffer.allocate(4).putInt(i).array());
        if (i % 50 == 49) {
          int sent = i + 1;
          await().until(() -> proxy.record().size() == sent);
        }
      }
      proxy.flush();
      await().until(() -> b.received.size() >= 2_000);
      await().until(() -> b.dropped(DropReason.REPLAYED) > 400);

      List<Integer> numbers =
          b.received.stream().map(packet -> ByteBuffer.wrap(packet.payload()).getInt()).toList();
      assertThat(numbers).isNotEqualTo(numbers.stream().sorted().toList());
      assertThat(numbers)
          .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 2_000).boxed().toList());
    }
  }

  @Test
  void replayedPackets_areDropped_alsoAfterARestart() throws SocketException {
    int[] ports = freePorts(2);
    Broker b = broker("b", LOOPBACK, ports[1], peers(LOOPBACK, ports[0]));
    try (UdpProxy proxy = new UdpProxy(ports[1])) {
      List<PeerAddress> way = peers(LOOPBACK, proxy.port());
      Broker before = broker("a", LOOPBACK, ports[0], way);
      before.transport.broadcast(1, new byte[] {1});
      before.transport.broadcast(1, new byte[] {2});
      await().until(() -> proxy.record().size() == 2);
      byte[] first = proxy.record().get(0);
      byte[] second = proxy.record().get(1);
      proxy.send(first);
      await().until(() -> b.received.size() == 1);
      await(before.transport.stop());
      await().pollDelay(Duration.ofMillis(5)).until(() -> true);

      Broker after = broker("a", LOOPBACK, ports[0], way);
      after.transport.broadcast(1, new byte[] {3});
      await().until(() -> proxy.record().size() == 3);
      proxy.send(proxy.record().get(2));
      await().until(() -> b.received.size() == 2);
      proxy.send(second);
      await().until(() -> b.dropped(DropReason.OLD_SESSION) == 1);
      proxy.send(proxy.record().get(2));
      await().until(() -> b.dropped(DropReason.REPLAYED) >= 1);

      assertThat(b.received)
          .extracting(packet -> packet.payload()[0])
          .containsExactly((byte) 1, (byte) 3);
    }
  }

  @Test
  void packetsOfAnotherSecret_orNoneOfOurs_areDropped() throws Exception {
    int[] ports = freePorts(2);
    Broker a = broker("a", LOOPBACK, ports[0], peers(LOOPBACK, ports[1]));
    byte[] other = new byte[32];
    Arrays.fill(other, (byte) 9);
    Broker b =
        new Broker("b", LOOPBACK, ports[1], peers(LOOPBACK, ports[0]), other, NameLookup.system());
    b.start();
    SplittableRandom random = new SplittableRandom(3);

    b.transport.broadcast(3, new byte[10]);
    await().until(() -> a.dropped(DropReason.BAD_SIGNATURE) == 1);
    try (UdpProxy noise = new UdpProxy(ports[0])) {
      for (int i = 0; i < 200; i++) {
        byte[] bytes = new byte[random.nextInt(1_600)];
        random.nextBytes(bytes);
        noise.send(bytes);
      }
      await()
          .until(
              () ->
                  a.transport.statistics().dropped().values().stream().mapToLong(n -> n).sum()
                      == 201);
    }

    assertThat(a.received).isEmpty();
  }

  @Test
  void signedPackets_fromAnAddressThatIsNoPeers_areDropped() throws SocketException {
    int[] ports = freePorts(2);
    Broker a = broker("a", "0.0.0.0", ports[0], peers(LOOPBACK, ports[1]));
    Broker stranger = broker("b", "127.0.0.2", ports[1], peers(LOOPBACK, ports[0]));

    stranger.transport.broadcast(3, new byte[0]);

    await().until(() -> a.dropped(DropReason.FOREIGN_SENDER) == 1);
    assertThat(a.received).isEmpty();
    assertThat(a.transport.send("b", 1, new byte[0])).isFalse();
  }

  @Test
  void nameThatCannotBeResolved_isRetried_soonerWhenItsBearerSpeaks() throws SocketException {
    int[] ports = freePorts(2);
    AtomicBoolean resolvable = new AtomicBoolean();
    NameLookup lookup =
        name -> {
          if (!resolvable.get()) {
            throw new UnknownHostException(name);
          }
          return List.of(InetAddress.getAllByName(LOOPBACK));
        };
    Broker a = new Broker("a", LOOPBACK, ports[0], peers("b.test", ports[1]), new byte[32], lookup);
    a.start();
    Broker b = broker("b", LOOPBACK, ports[1], peers(LOOPBACK, ports[0]));
    assertThat(a.transport.statistics().configured())
        .containsExactly(new ConfiguredPeer("b.test:" + ports[1], List.of()));

    b.transport.broadcast(3, new byte[0]);
    await().until(() -> a.dropped(DropReason.FOREIGN_SENDER) == 1);
    resolvable.set(true);

    await()
        .until(
            () -> {
              b.transport.broadcast(3, new byte[0]);
              return !a.received.isEmpty();
            });
    assertThat(a.transport.send("b", 1, new byte[0])).isTrue();
  }

  @Test
  void brokerWithTheSameName_isNotHeard() throws SocketException {
    int[] ports = freePorts(2);
    Broker a = broker("a", LOOPBACK, ports[0], peers(LOOPBACK, ports[1]));
    Broker twin = broker("a", LOOPBACK, ports[1], peers(LOOPBACK, ports[0]));

    twin.transport.broadcast(3, new byte[0]);

    await().until(() -> a.dropped(DropReason.SAME_ID) == 1);
    assertThat(a.received).isEmpty();
  }

  @Test
  void largerPayloads_areRefusedAndCounted_neverFragmented() throws SocketException {
    int[] ports = freePorts(2);
    Broker a = broker("a", LOOPBACK, ports[0], peers(LOOPBACK, ports[1]));
    Broker b = broker("b", LOOPBACK, ports[1], peers(LOOPBACK, ports[0]));
    b.transport.broadcast(3, new byte[0]);
    await().until(() -> a.received.size() == 1);

    a.transport.broadcast(10, new byte[UdpTransport.MAX_PAYLOAD + 1]);
    assertThat(a.transport.send("b", 10, new byte[UdpTransport.MAX_PAYLOAD + 1])).isFalse();
    assertThat(a.transport.send("b", 10, new byte[UdpTransport.MAX_PAYLOAD])).isTrue();
    await().until(() -> b.received.size() == 1);

    assertThat(b.transport.statistics().bytesReceived()).isEqualTo(UdpTransport.MAX_PACKET);
    assertThat(a.transport.statistics().tooLarge()).isEqualTo(2);
    assertThat(a.transport.statistics().packetsSent()).isEqualTo(1);
  }

  @Test
  void handlerThatFails_doesNotStopTheNextPacket() throws SocketException {
    int[] ports = freePorts(2);
    Broker a = broker("a", LOOPBACK, ports[0], peers(LOOPBACK, ports[1]));
    Broker b = broker("b", LOOPBACK, ports[1], peers(LOOPBACK, ports[0]));
    b.transport.handler(
        packet -> {
          b.received.add(packet);
          throw new IllegalStateException("on purpose");
        });

    a.transport.broadcast(3, new byte[0]);
    a.transport.broadcast(3, new byte[0]);

    await().until(() -> b.received.size() == 2);
    await().until(() -> b.transport.statistics().handlerFailures() == 2);
  }

  @Test
  void portThatIsTaken_failsTheStart() throws SocketException {
    int[] ports = freePorts(1);
    broker("a", LOOPBACK, ports[0], List.of());
    Broker second =
        new Broker("b", LOOPBACK, ports[0], List.of(), new byte[32], NameLookup.system());

    assertThat(failureOf(second.transport.start()))
        .isInstanceOf(UdpStartException.class)
        .hasMessage(
            "cannot listen for other brokers on UDP 127.0.0.1:%d (QUEEN_UDP_HOST,"
                + " QUEEN_UDP_NOTIFY_PORT): the port is in use",
            ports[0]);
  }

  @Test
  void socketForAllAddresses_speaksIpv4AndIpv6() throws SocketException {
    Assumptions.assumeTrue(hasIpv6(), "this machine has no IPv6");
    int[] ports = freePorts(3);
    Broker both =
        broker(
            "both",
            "::",
            ports[0],
            List.of(
                new PeerAddress("::1", ports[0]),
                new PeerAddress(LOOPBACK, ports[0]),
                new PeerAddress("::1", ports[1]),
                new PeerAddress(LOOPBACK, ports[2])));
    Broker six = broker("six", "::1", ports[1], peers("::1", ports[0]));
    Broker four = broker("four", LOOPBACK, ports[2], peers(LOOPBACK, ports[0]));

    six.transport.broadcast(3, new byte[0]);
    four.transport.broadcast(3, new byte[0]);
    await().until(() -> both.received.size() == 2);
    both.transport.broadcast(3, new byte[0]);
    await().until(() -> six.received.size() == 1 && four.received.size() == 1);

    assertThat(both.dropped(DropReason.OWN_PACKET)).isZero();
  }

  @Test
  void stop_isTheEnd() throws SocketException {
    int[] ports = freePorts(2);
    Broker a = broker("a", LOOPBACK, ports[0], peers(LOOPBACK, ports[1]));
    assertThat(a.transport.port()).isEqualTo(ports[0]);

    await(a.transport.stop());
    await(a.transport.stop());
    a.transport.broadcast(3, new byte[0]);

    assertThat(a.transport.port()).isZero();
    assertThat(a.transport.send("b", 3, new byte[0])).isFalse();
    broker("again", LOOPBACK, ports[0], List.of());
  }

  private Broker broker(String id, String host, int port, List<PeerAddress> peers) {
    Broker broker = new Broker(id, host, port, peers, new byte[32], NameLookup.system());
    broker.start();
    return broker;
  }

  private final class Broker {
    private final String id;
    private final UdpTransport transport;
    private final Queue<Packet> received = new ConcurrentLinkedQueue<>();

    Broker(
        String id,
        String host,
        int port,
        List<PeerAddress> peers,
        byte[] secret,
        NameLookup lookup) {
      this.id = id;
      Environment system = Environment.system(InstantSource.system(), System::nanoTime);
      transport =
          new UdpTransport(
              vertx,
              new UdpOptions(
                  id,
                  host,
                  port,
                  peers,
                  secret,
                  8 << 20,
                  Duration.ofMillis(20),
                  Duration.ofSeconds(5)),
              new Environment(system.nanoClock(), system.milliClock(), system.random(), lookup));
      transport.handler(received::add);
    }

    void start() {
      await(transport.start());
    }

    long dropped(DropReason reason) {
      return transport.statistics().dropped().getOrDefault(reason, -1L);
    }
  }

  private static List<PeerAddress> peers(String host, int... ports) {
    return Arrays.stream(ports).mapToObj(port -> new PeerAddress(host, port)).toList();
  }

  private static int[] freePorts(int count) throws SocketException {
    List<DatagramSocket> sockets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sockets.add(new DatagramSocket());
    }
    int[] ports = sockets.stream().mapToInt(DatagramSocket::getLocalPort).toArray();
    sockets.forEach(DatagramSocket::close);
    return ports;
  }

  private static boolean hasIpv6() {
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getAllByName("::1")[0])) {
      return socket.isBound();
    } catch (SocketException | UnknownHostException e) {
      return false;
    }
  }
}
