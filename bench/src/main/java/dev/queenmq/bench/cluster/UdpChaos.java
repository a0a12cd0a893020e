package dev.queenmq.bench.cluster;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Stands between brokers that speak UDP, and lets all, nothing, or nonsense pass. One thread of its
 * own does the work; the methods are safe for any thread.
 *
 * <p>For each ordered pair there is a socket: what broker A believes to be B. A packet that comes
 * there leaves from the socket that B believes to be A, so that its sender's address is a peer's.
 */
public final class UdpChaos implements AutoCloseable {
  private static final int LARGEST = 65_535;
  private static final long GLANCE_MILLIS = 20;

  /** What it lets pass. */
  public enum Mode {
    ALL,
    NOTHING,
    NONSENSE
  }

  private final List<Integer> ports;
  private final List<DatagramChannel> channels = new ArrayList<>();
  private final Selector selector;
  private final PacketFaults packetFaults;
  private final PriorityQueue<PacketFaults.Departure> later =
      new PriorityQueue<>(Comparator.comparingLong(PacketFaults.Departure::dueNanos));
  private final Map<UdpFault, Long> counts = new ConcurrentHashMap<>();
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(LARGEST);
  private final Thread thread = new Thread(this::run, "udp-chaos");
  private final Set<Integer> muted = ConcurrentHashMap.newKeySet();
  private volatile Mode mode = Mode.ALL;
  private volatile boolean closed;

  private UdpChaos(List<Integer> ports, long seed) throws IOException {
    this.ports = List.copyOf(ports);
    for (UdpFault fault : UdpFault.values()) {
      counts.put(fault, 0L);
    }
    packetFaults = new PacketFaults(new SplittableRandom(seed), this::count);
    selector = Selector.open();
    for (int link = 0; link < ports.size() * ports.size(); link++) {
      DatagramChannel channel = DatagramChannel.open();
      channels.add(channel);
      channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ, link);
    }
  }

  /** Between brokers that listen at these ports of this machine; lets all pass at first. */
  public static UdpChaos between(List<Integer> ports, long seed) {
    try {
      UdpChaos chaos = new UdpChaos(ports, seed);
      chaos.thread.setDaemon(true);
      chaos.thread.start();
      return chaos;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where one broker finds another. */
  public int port(int from, int to) {
    try {
      return ((InetSocketAddress) channels.get(link(from, to)).getLocalAddress()).getPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Changes what the proxy does from now on. */
  public void let(Mode pass) {
    mode = pass;
  }

  /** From now on packets of this broker are dropped; it still receives those of the others. */
  public void mute(int broker) {
    muted.add(broker);
  }

  /** Ends all muting. */
  public void unmute() {
    muted.clear();
  }

  /** All counts so far. */
  public Map<UdpFault, Long> counts() {
    return new EnumMap<>(counts);
  }

  private int link(int from, int to) {
    return from * ports.size() + to;
  }

  private void run() {
    while (!closed) {
      try {
        selector.select(this::receive, untilNext(System.nanoTime()));
        long now = System.nanoTime();
        later.addAll(packetFaults.overdue(now));
        PacketFaults.Departure next = later.peek();
        while (next != null && next.dueNanos() - now <= 0) {
          later.remove();
          send(next);
          next = later.peek();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private long untilNext(long now) {
    PacketFaults.Departure next = later.peek();
    long millis =
        next == null
            ? GLANCE_MILLIS
            : TimeUnit.NANOSECONDS.toMillis(Math.max(0, next.dueNanos() - now));
    return Math.max(1, Math.min(GLANCE_MILLIS, millis));
  }

  private void receive(SelectionKey key) {
    int link = (Integer) key.attachment();
    try {
      while (((DatagramChannel) key.channel()).receive(buffer.clear()) != null) {
        buffer.flip();
        byte[] packet = new byte[buffer.remaining()];
        buffer.get(packet);
        pass(link, Buffer.buffer(packet));
      }
    } catch (SocketException e) {
      // A broker that is down refuses packets, and the next use of the socket reports it.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void pass(int link, Buffer packet) throws IOException {
    count(UdpFault.RECEIVED);
    if (muted.contains(link / ports.size())) {
      count(UdpFault.BLOCKED);
      return;
    }
    switch (mode) {
      case NOTHING -> count(UdpFault.BLOCKED);
      case ALL -> send(new PacketFaults.Departure(link, 0, packet));
      case NONSENSE -> later.addAll(packetFaults.on(link, packet, System.nanoTime()));
    }
  }

  private void send(PacketFaults.Departure departure) throws IOException {
    int from = departure.link() / ports.size();
    int to = departure.link() % ports.size();
    InetSocketAddress target =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.get(to));
    try {
      channels.get(link(to, from)).send(ByteBuffer.wrap(departure.packet().getBytes()), target);
      count(UdpFault.SENT);
    } catch (SocketException e) {
      // As when it is received: the target is down.
    }
  }

  private void count(UdpFault fault) {
    counts.merge(fault, 1L, Long::sum);
  }

  @Override
  public void close() {
    closed = true;
    selector.wakeup();
    try {
      thread.join();
      for (DatagramChannel channel : channels) {
        channel.close();
      }
      selector.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
