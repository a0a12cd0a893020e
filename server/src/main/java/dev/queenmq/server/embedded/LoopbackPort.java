package dev.queenmq.server.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A free port on loopback: the one that was used before when possible, so that links keep working.
 */
final class LoopbackPort {

  static final String HOST = "127.0.0.1";

  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  private final Path file;

  LoopbackPort(Path file) {
    this.file = file;
  }

  /** The remembered port if it is free, otherwise one that is. Nothing is reserved by asking. */
  int choose() throws IOException {
    int remembered = remembered();
    return remembered > 0 && isFree(remembered) ? remembered : anyFree();
  }

  void remember(int port) throws IOException {
    if (remembered() != port) {
      Files.writeString(file, port + "\n");
    }
  }

  static int anyFree() throws IOException {
    try (ServerSocket socket = bound(0)) {
      return socket.getLocalPort();
    }
  }

  private int remembered() throws IOException {
    if (!Files.exists(file)) {
      return 0;
    }
    try {
      int port = Integer.parseInt(Files.readString(file).strip());
      return port <= 65535 ? port : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = bound(port)) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  private static ServerSocket bound(int port) throws IOException {
    ServerSocket socket = new ServerSocket();
    try {
      socket.bind(new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port));
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }
}
