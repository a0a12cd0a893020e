package dev.queenmq.server.udpsync;

import dev.queenmq.server.logging.LimitedLog;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.datagram.DatagramSocket;
import io.vertx.core.datagram.DatagramSocketOptions;
import java.net.InetAddress;
import java.net.SocketException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends packets to the other brokers and receives theirs, over one UDP socket on one event loop.
 * May be used from any thread; the handler is called on the event loop. Packets get lost.
 */
public final class UdpTransport {

  /** Bytes of a whole packet. */
  public static final int MAX_PACKET = PacketCodec.MAX_PACKET;

  /** Bytes of payload; more is refused, never cut or fragmented. */
  public static final int MAX_PAYLOAD = PacketCodec.MAX_PAYLOAD;

  /*
   * Vert.x makes a buffer of the size of the socket's receive buffer for each packet that it
   * reads. Up to 1 MiB they come from a pool (about 10 microseconds a packet); beyond, each is
   * fresh memory (about 270 at 8 MiB), and the receiver slower than what it wants to keep up with.
   */
  private static final int LARGEST_RECEIVE_BUFFER = 1 << 20;

  private static final Duration LOOKUP_INTERVAL = Duration.ofSeconds(30);
  private static final Duration LOOKUP_PATIENCE = Duration.ofSeconds(2);

  /** Packets that may wait to be sent; hints that come too late are worth nothing. */
  private static final int MOST_WAITING = 10_000;

  private static final Logger log = LoggerFactory.getLogger(UdpTransport.class);

  private final Vertx vertx;
  private final Context context;
  private final UdpOptions options;
  private final Environment surroundings;
  private final SessionId session;
  private final PacketCodec codec;
  private final Counters counters = new Counters();
  private final LimitedLog warnings;
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile Consumer<Packet> handler = packet -> {};
  private volatile @Nullable Open open;
  private @Nullable DatagramSocket socket;
  private long sequence;
  private long lookupTimer = -1;
  private long lastEarlyLookup;

  private record Machine(InetAddress address, int receiveBufferBytes) {}

  private record Bound(OwnAddress own, int receiveBufferBytes) {}

  /** What there is once the socket is bound. */
  private record Open(
      int port, int receiveBufferBytes, PeerDirectory directory, Reception reception) {}

  /** A transport that does nothing yet. */
  public UdpTransport(Vertx vertx, UdpOptions options, InstantSource clock, LongSupplier nanoTime) {
    this(vertx, options, Environment.system(clock, nanoTime));
  }

  UdpTransport(Vertx vertx, UdpOptions options, Environment surroundings) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.options = options;
    this.surroundings = surroundings;
    session = SessionId.begin(surroundings.milliClock().getAsLong(), surroundings.random());
    codec = new PacketCodec(options.secret());
    warnings = new LimitedLog(log::warn, surroundings.nanoClock());
  }

  /** Sets the handler of packets; set it before the start. Another one replaces it. */
  public void handler(Consumer<Packet> taker) {
    handler = taker;
  }

  /**
   * Opens the socket and looks the peers up; a peer that cannot be found yet does not hinder it.
   *
   * @return fails with a {@link UdpStartException} if the socket cannot be bound
   */
  public Future<Void> start() {
    Promise<Void> started = Promise.promise();
    context.runOnContext(go -> bind().onComplete(started));
    return started.future();
  }

  /** Closes the socket; nothing is sent or handled afterwards. */
  public Future<Void> stop() {
    Promise<Void> stopped = Promise.promise();
    context.runOnContext(
        go -> {
          vertx.cancelTimer(lookupTimer);
          open = null;
          DatagramSocket closing = socket;
          socket = null;
          (closing == null ? Future.<Void>succeededFuture() : closing.close()).onComplete(stopped);
        });
    return stopped.future();
  }

  /** The port that it really listens on; 0 unless it does. */
  public int port() {
    Open now = open;
    return now == null ? 0 : now.port();
  }

  /** This run of the broker, as its packets name it. */
  public SessionId session() {
    return session;
  }

  /**
   * Sends to the peer whose packets bear that id.
   *
   * @param type 0 to 255
   * @return false if nothing has been heard of it yet, or the payload is too large
   */
  public boolean send(String serverId, int type, byte[] payload) {
    return send(List.of(serverId), type, payload);
  }

  /**
   * Sends the same packet, signed once, to each of these peers.
   *
   * @param type 0 to 255
   * @return false if nothing has been heard of one of them yet, or the payload is too large; then
   *     nothing is sent
   */
  public boolean send(List<String> serverIds, int type, byte[] payload) {
    Open now = open;
    if (now == null) {
      return false;
    }
    List<Endpoint> targets = new ArrayList<>(serverIds.size());
    for (String serverId : serverIds) {
      Optional<Endpoint> target = now.reception().addressOf(serverId);
      if (target.isEmpty()) {
        return false;
      }
      targets.add(target.get());
    }
    return submit(type, payload, targets);
  }

  /**
   * Sends to all addresses of all peers.
   *
   * @param type 0 to 255
   */
  public void broadcast(int type, byte[] payload) {
    Open now = open;
    if (now != null) {
      submit(type, payload, now.directory().all());
    }
  }

  /** What was done since the start. */
  public TransportStatistics statistics() {
    Open now = open;
    return new TransportStatistics(
        counters.packetsSent.sum(),
        counters.bytesSent.sum(),
        counters.packetsReceived.sum(),
        counters.bytesReceived.sum(),
        counters.dropped(),
        counters.sendErrors.sum(),
        counters.tooLarge.sum(),
        counters.overloaded.sum(),
        counters.handlerFailures.sum(),
        now == null ? 0 : now.receiveBufferBytes(),
        now == null ? List.of() : now.directory().describe(),
        now == null ? List.of() : now.reception().describe());
  }

  private Future<Void> bind() {
    int wanted = Math.max(2048, Math.min(options.receiveBufferBytes(), LARGEST_RECEIVE_BUFFER));
    DatagramSocket created =
        vertx.createDatagramSocket(
            new DatagramSocketOptions()
                .setReceiveBufferSize(wanted)
                .setIpV6(options.bindHost().indexOf(':') >= 0));
    created.exceptionHandler(
        fault -> warnings.write("", "socket", "fault of the UDP socket: " + fault.getMessage()));
    return vertx
        .executeBlocking(
            () -> new Machine(InetAddress.getByName(options.bindHost()), granted(wanted)), false)
        .compose(
            machine ->
                created
                    .listen(options.port(), options.bindHost())
                    .map(
                        listening ->
                            new Bound(
                                new OwnAddress(machine.address, listening.localAddress().port()),
                                machine.receiveBufferBytes)))
        .recover(
            failure ->
                created.close().transform(closed -> Future.failedFuture(cannotListen(failure))))
        .compose(bound -> opened(created, bound));
  }

  /**
   * The receive buffer that the system grants for a wanted size. Vert.x does not show its socket's,
   * so another socket is asked the same; the system's limit is the same for all sockets.
   *
   * @return 0 if the system does not show it, which is no reason not to start
   */
  private static int granted(int wanted) {
    try (java.net.DatagramSocket probe = new java.net.DatagramSocket(null)) {
      probe.setReceiveBufferSize(wanted);
      return probe.getReceiveBufferSize();
    } catch (SocketException e) {
      log.debug("cannot find out the size of the receive buffer", e);
      return 0;
    }
  }

  private Future<Void> opened(DatagramSocket created, Bound bound) {
    OwnAddress own = bound.own;
    socket = created;
    PeerDirectory directory = new PeerDirectory(vertx, options.peers(), surroundings.lookup(), own);
    Reception reception =
        new Reception(
            new Reception.Parts(
                options,
                session,
                codec,
                directory,
                counters,
                surroundings.nanoClock(),
                warnings,
                new LimitedLog(log::debug, surroundings.nanoClock()),
                () -> lookUpEarly(directory)));
    reception.handler(packet -> handler.accept(packet));
    open = new Open(own.port(), bound.receiveBufferBytes, directory, reception);
    created.handler(datagram -> reception.arrived(datagram.data(), Endpoint.of(datagram.sender())));
    lookupTimer = vertx.setPeriodic(LOOKUP_INTERVAL.toMillis(), tick -> directory.refresh());
    lastEarlyLookup = surroundings.nanoClock().getAsLong();
    Promise<Void> ready = Promise.promise();
    directory.refresh().onComplete(found -> ready.tryComplete());
    vertx
        .timer(LOOKUP_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
        .onComplete(late -> ready.tryComplete());
    return ready.future();
  }

  /**
   * A signed packet from an unknown address: a peer has moved, and its name may resolve to the new
   * address.
   */
  private void lookUpEarly(PeerDirectory directory) {
    long now = surroundings.nanoClock().getAsLong();
    if (now - lastEarlyLookup >= options.heartbeat().toNanos()) {
      lastEarlyLookup = now;
      directory.refresh();
    }
  }

  private boolean submit(int type, byte[] payload, List<Endpoint> targets) {
    if (payload.length > MAX_PAYLOAD) {
      counters.tooLarge.increment();
      String text =
          "a payload of %d bytes (type %d) has no room in a packet and is not sent"
              .formatted(payload.length, type);
      context.runOnContext(go -> warnings.write("", "too large " + type, text));
      return false;
    }
    if (waiting.get() + targets.size() > MOST_WAITING) {
      counters.overloaded.add(targets.size());
      return true;
    }
    waiting.addAndGet(targets.size());
    if (Vertx.currentContext() == context) {
      transmit(type, payload, targets);
    } else {
      context.runOnContext(go -> transmit(type, payload, targets));
    }
    return true;
  }

  private void transmit(int type, byte[] payload, List<Endpoint> targets) {
    DatagramSocket current = socket;
    if (current == null || targets.isEmpty()) {
      waiting.addAndGet(-targets.size());
      return;
    }
    sequence++;
    byte[] packet = codec.encode(new Packet(type, options.serverId(), session, sequence, payload));
    for (Endpoint target : targets) {
      current
          .send(Buffer.buffer(packet), target.port(), target.address())
          .onComplete(
              sent -> {
                waiting.decrementAndGet();
                if (sent.succeeded()) {
                  counters.packetsSent.increment();
                  counters.bytesSent.add(packet.length);
                } else {
                  counters.sendErrors.increment();
                  warnings.write(
                      target.address(),
                      "send",
                      "cannot send to %s: %s".formatted(target, sent.cause().getMessage()));
                }
              });
    }
  }

  private UdpStartException cannotListen(Throwable failure) {
    String said = String.valueOf(failure.getMessage());
    String why = said.contains("Address already in use") ? "the port is in use" : said;
    return new UdpStartException(
        "cannot listen for other brokers on UDP %s (QUEEN_UDP_HOST, QUEEN_UDP_NOTIFY_PORT): %s"
            .formatted(Endpoint.text(options.bindHost(), options.port()), why),
        failure);
  }
}
