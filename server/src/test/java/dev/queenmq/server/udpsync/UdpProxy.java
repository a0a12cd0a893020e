package dev.queenmq.server.udpsync;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** A network that repeats packets, lets them overtake each other, and keeps a record of them. */
final class UdpProxy implements AutoCloseable {

  private static final int HELD_AT_MOST = 20;

  private final DatagramSocket socket;
  private final int target;
  private final List<byte[]> record = new ArrayList<>();
  private final List<byte[]> held = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom(11);
  private final Thread thread = new Thread(this::run, "udp-proxy");

  UdpProxy(int target) throws SocketException {
    this.target = target;
    socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    thread.setDaemon(true);
    thread.start();
  }

  int port() {
    return socket.getLocalPort();
  }

  /** Everything that came by. */
  synchronized List<byte[]> record() {
    return List.copyOf(record);
  }

  /** Sends what is held back. */
  synchronized void flush() {
    held.forEach(this::send);
    held.clear();
  }

  synchronized void send(byte[] bytes) {
    try {
      socket.send(
          new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), target));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void run() {
    DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
    while (!socket.isClosed()) {
      try {
        socket.receive(packet);
        passOn(Arrays.copyOf(packet.getData(), packet.getLength()));
      } catch (IOException e) {
        return;
      }
    }
  }

  private synchronized void passOn(byte[] bytes) {
    record.add(bytes);
    held.add(bytes);
    if (random.nextInt(3) == 0) {
      held.add(bytes);
    }
    while (held.size() > HELD_AT_MOST) {
      send(held.remove(random.nextInt(held.size())));
    }
  }

  @Override
  public void close() {
    socket.close();
  }
}
