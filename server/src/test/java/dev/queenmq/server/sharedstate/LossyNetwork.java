package dev.queenmq.server.sharedstate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;

/** Brokers in one memory, and a network between them that loses, repeats and reorders. */
final class LossyNetwork {

  private record Packet(String to, String label, Consumer<SharedState> arrival) {}

  private final Map<String, Broker> brokers = new LinkedHashMap<>();
  private final List<Packet> underway = new ArrayList<>();
  private final List<String> delivered = new ArrayList<>();
  private final ManualClock clock = new ManualClock();
  private final Random random;
  private double loss;
  private boolean reorders;

  LossyNetwork(long seed) {
    random = new Random(seed);
  }

  /** One broker, and what it was told. */
  record Broker(SharedState state, RecordingListener listener) {
    List<String> heard() {
      return listener.heard();
    }
  }

  ManualClock clock() {
    return clock;
  }

  void loses(double share) {
    loss = share;
  }

  void reorders(boolean yes) {
    reorders = yes;
  }

  /** Packets that have arrived, as "from to type". */
  List<String> delivered() {
    return delivered;
  }

  Broker start(String id, String session, Map<String, Long> database) {
    return start(id, session, database, link -> link);
  }

  Broker start(
      String id, String session, Map<String, Long> database, Function<SyncLink, SyncLink> around) {
    RecordingListener listener = new RecordingListener();
    SharedState state =
        SharedState.withPeers(
            SharedStateOptions.defaults(id),
            around.apply(new Link(id, session)),
            TestSurroundings.of(database, listener, clock));
    Broker broker = new Broker(state, listener);
    brokers.put(id, broker);
    return broker;
  }

  void crash(String id) {
    brokers.remove(id);
  }

  /** Lets packets arrive, and those that they cause. */
  void settle() {
    while (!underway.isEmpty()) {
      Packet packet = underway.remove(reorders ? random.nextInt(underway.size()) : 0);
      Broker to = brokers.get(packet.to);
      if (to != null && random.nextDouble() >= loss) {
        delivered.add(packet.label);
        packet.arrival.accept(to.state());
      }
    }
  }

  /** This number of heartbeats. */
  void rounds(int count) {
    for (int i = 0; i < count; i++) {
      clock.advance(1000);
      brokers.values().forEach(broker -> broker.state().tick());
      settle();
    }
  }

  private final class Link implements SyncLink {
    private final String from;
    private final String session;

    Link(String from, String session) {
      this.from = from;
      this.session = session;
    }

    @Override
    public boolean send(String serverId, int type, byte[] payload) {
      underway.add(
          new Packet(
              serverId,
              from + " " + serverId + " " + type,
              state -> state.receive(from, session, type, payload)));
      return true;
    }

    @Override
    public void broadcast(int type, byte[] payload) {
      // Itself as well: it may stand in its own list of peers.
      brokers.keySet().forEach(to -> send(to, type, payload));
    }
  }
}
