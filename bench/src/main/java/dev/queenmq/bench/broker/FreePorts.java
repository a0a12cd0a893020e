package dev.queenmq.bench.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * Ports that a process can have again after a restart: below those that the system gives to
 * outgoing connections, of which a load generator makes many. Until {@link #close} no other run on
 * this machine gets them from here, also while no process listens at them.
 *
 * <p>A reserved port is held at another loopback address than that which the processes listen at,
 * so it is free for them, and the system gives it up with this JVM. Where there is only one such
 * address, nothing is held.
 */
public final class FreePorts implements AutoCloseable {
  private static final int FIRST = 20_000;
  private static final int LAST = 32_000;
  private static final int ATTEMPTS = 1_000;

  private final Map<Integer, ServerSocket> held = new LinkedHashMap<>();
  private final boolean holds = isBindable(holding(0));

  private FreePorts() {}

  /** Different ones, free for TCP and UDP on the loopback address at this moment. */
  public static FreePorts reserve(int count) {
    return reserve(count, new Random());
  }

  static FreePorts reserve(int count, RandomGenerator random) {
    FreePorts ports = new FreePorts();
    for (int i = 0; i < ATTEMPTS && ports.held.size() < count; i++) {
      ports.tryHold(random.nextInt(FIRST, LAST));
    }
    if (ports.held.size() < count) {
      ports.close();
      throw new IllegalStateException("no " + count + " free ports");
    }
    return ports;
  }

  /** The same for processes that listen soon, and at all addresses perhaps: nothing is held. */
  public static List<Integer> take(int count) {
    try (FreePorts ports = reserve(count)) {
      return ports.numbers();
    }
  }

  /** In the order in which they were found. */
  public List<Integer> numbers() {
    return List.copyOf(held.keySet());
  }

  /** First held, then tried: to try it would disturb a process that is about to listen there. */
  private void tryHold(int port) {
    try {
      ServerSocket socket = new ServerSocket();
      try {
        if (holds) {
          socket.bind(holding(port));
        }
        if (!held.containsKey(port) && isFree(port)) {
          held.put(port, socket);
          return;
        }
      } catch (BindException e) {
        // Another run holds it.
      }
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InetSocketAddress holding(int port) {
    return new InetSocketAddress("127.0.0.2", port);
  }

  private static boolean isBindable(InetSocketAddress address) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(address);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isFree(int port) {
    InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try (DatagramSocket udp = new DatagramSocket(here)) {
      return udp.isBound() && isBindable(here);
    } catch (SocketException e) {
      return false;
    }
  }

  @Override
  public void close() {
    for (ServerSocket each : held.values()) {
      try {
        each.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
