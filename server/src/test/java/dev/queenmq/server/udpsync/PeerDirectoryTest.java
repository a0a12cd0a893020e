package dev.queenmq.server.udpsync;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.udpsync.TransportStatistics.ConfiguredPeer;
import io.vertx.core.Context;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PeerDirectoryTest {

  private final Vertx vertx = Vertx.vertx();
  private final Context context = vertx.getOrCreateContext();
  private final Map<String, List<String>> names = new ConcurrentHashMap<>();

  @AfterEach
  void close() {
    await(vertx.close());
  }

  @Test
  void name_standsForAllItsAddresses_butNotForOurOwn() {
    names.put("hive", List.of("127.0.0.1", "10.1.0.3", "10.1.0.2"));
    PeerDirectory directory = directory("0.0.0.0", new PeerAddress("hive", 6633));

    refresh(directory);

    assertThat(directory.all())
        .containsExactly(new Endpoint("10.1.0.2", 6633), new Endpoint("10.1.0.3", 6633));
    assertThat(directory.knows(new Endpoint("10.1.0.2", 40_000))).isTrue();
    assertThat(directory.knows(new Endpoint("127.0.0.1", 6633))).isFalse();
  }

  @Test
  void brokersOnOneMachine_differByPort() {
    names.put("localhost", List.of("127.0.0.1"));
    PeerDirectory directory =
        directory(
            "127.0.0.1", new PeerAddress("localhost", 6633), new PeerAddress("localhost", 6634));

    refresh(directory);

    assertThat(directory.all()).containsExactly(new Endpoint("127.0.0.1", 6634));
  }

  @Test
  void entryThatIsOnlyOurselves_isNoPeer_andOneThatIsNotFoundIs() {
    names.put("me", List.of("127.0.0.1"));
    names.put("hive", List.of("127.0.0.1", "10.1.0.2"));
    PeerDirectory directory =
        directory(
            "0.0.0.0",
            new PeerAddress("me", 6633),
            new PeerAddress("hive", 6633),
            new PeerAddress("nowhere", 6633));

    refresh(directory);

    assertThat(directory.describe())
        .containsExactly(
            new ConfiguredPeer("hive:6633", List.of("10.1.0.2:6633")),
            new ConfiguredPeer("nowhere:6633", List.of()));
    names.put("me", List.of("10.1.0.7"));
    refresh(directory);
    assertThat(directory.describe()).hasSize(3);
  }

  @Test
  void addressesOfLocalInterfaces_areOurOwn_unlessTheSocketIsBoundToAnother() {
    OwnAddress everywhere = new OwnAddress(address("0.0.0.0"), 6633);
    OwnAddress second = new OwnAddress(address("127.0.0.2"), 6633);

    assertThat(everywhere.is(address("::1"), 6633)).isTrue();
    assertThat(everywhere.is(address("127.0.0.9"), 6633)).isTrue();
    assertThat(everywhere.is(address("127.0.0.1"), 6634)).isFalse();
    assertThat(everywhere.is(address("192.0.2.1"), 6633)).isFalse();
    assertThat(second.is(address("127.0.0.2"), 6633)).isTrue();
    assertThat(second.is(address("127.0.0.1"), 6633)).isFalse();
  }

  @Test
  void nameThatMoves_isFollowed_andOneThatVanishesIsKept() {
    names.put("b", List.of("10.1.0.2"));
    PeerDirectory directory = directory("0.0.0.0", new PeerAddress("b", 1));
    refresh(directory);

    names.remove("b");
    refresh(directory);
    assertThat(directory.all()).containsExactly(new Endpoint("10.1.0.2", 1));

    names.put("b", List.of("10.1.0.9"));
    refresh(directory);
    assertThat(directory.all()).containsExactly(new Endpoint("10.1.0.9", 1));
    assertThat(directory.knows(new Endpoint("10.1.0.2", 1))).isFalse();
  }

  @Test
  void answers_goWhereThePeerListens_evenIfItsPortIsTranslated() {
    names.put("b", List.of("10.1.0.2"));
    names.put("c", List.of("10.1.0.3"));
    PeerDirectory directory =
        directory(
            "0.0.0.0",
            new PeerAddress("b", 6633),
            new PeerAddress("c", 6633),
            new PeerAddress("c", 6634));
    refresh(directory);

    assertThat(directory.answerTo(new Endpoint("10.1.0.2", 40_000)))
        .isEqualTo(new Endpoint("10.1.0.2", 6633));
    assertThat(directory.answerTo(new Endpoint("10.1.0.3", 6634)))
        .isEqualTo(new Endpoint("10.1.0.3", 6634));
  }

  @Test
  void scopeOfAnIpv6Address_isNoPartOfItsName() {
    names.put("b", List.of("fe80::1"));
    PeerDirectory directory = directory("::", new PeerAddress("b", 1));
    refresh(directory);

    assertThat(directory.knows(new Endpoint("fe80:0:0:0:0:0:0:1%eth0", 1))).isTrue();
  }

  /** On one event loop, where it belongs. */
  private void refresh(PeerDirectory directory) {
    Promise<Void> done = Promise.promise();
    context.runOnContext(go -> directory.refresh().onComplete(done));
    await(done.future());
  }

  private PeerDirectory directory(String bound, PeerAddress... peers) {
    return new PeerDirectory(
        vertx, List.of(peers), this::addresses, new OwnAddress(address(bound), 6633));
  }

  private List<InetAddress> addresses(String name) throws UnknownHostException {
    List<String> found = names.getOrDefault(name, List.of());
    if (found.isEmpty()) {
      throw new UnknownHostException(name);
    }
    return found.stream().map(PeerDirectoryTest::address).toList();
  }

  private static InetAddress address(String digits) {
    try {
      return InetAddress.getByName(digits);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }
}
