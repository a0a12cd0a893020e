package dev.queenmq.bench.broker;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Ports that a process can have again after a restart: below those that the system gives to
 * outgoing connections, of which a load generator makes many.
 */
public final class FreePorts {
  private static final int FIRST = 20_000;
  private static final int LAST = 32_000;
  private static final int ATTEMPTS = 1_000;

  private FreePorts() {}

  /** Different ones, free for TCP and UDP on the loopback address at this moment. */
  public static List<Integer> take(int count, RandomGenerator random) {
    List<Integer> ports = new ArrayList<>();
    for (int i = 0; i < ATTEMPTS && ports.size() < count; i++) {
      int port = random.nextInt(FIRST, LAST);
      if (!ports.contains(port) && isFree(port)) {
        ports.add(port);
      }
    }
    if (ports.size() < count) {
      throw new IllegalStateException("no " + count + " free ports");
    }
    return List.copyOf(ports);
  }

  private static boolean isFree(int port) {
    InetAddress here = InetAddress.getLoopbackAddress();
    try (ServerSocket tcp = new ServerSocket(port, 1, here);
        DatagramSocket udp = new DatagramSocket(new InetSocketAddress(here, port))) {
      return tcp.isBound() && udp.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
