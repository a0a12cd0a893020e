package dev.queenmq.embedded.process;

import dev.queenmq.embedded.files.PrivateFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntPredicate;

/**
 * A free port on loopback: the one that was used before when possible, so that links keep working.
 */
public final class LoopbackPort {

  public static final String HOST = "127.0.0.1";

  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  private final Path file;
  private final IntPredicate free;

  public LoopbackPort(Path file, IntPredicate free) {
    this.file = file;
    this.free = free;
  }

  /** The remembered port if it is free, otherwise one that is. Nothing is reserved by asking. */
  public int choose() throws IOException {
    int remembered = remembered();
    return remembered > 0 && free.test(remembered) ? remembered : anyFree();
  }

  public void remember(int port) throws IOException {
    if (remembered() != port) {
      PrivateFile.write(file, port + "\n");
    }
  }

  public static int anyFree() throws IOException {
    try (ServerSocket socket = bound(0)) {
      return socket.getLocalPort();
    }
  }

  private int remembered() throws IOException {
    if (!Files.exists(file)) {
      return 0;
    }
    try {
      int port = Integer.parseInt(Files.readString(file, StandardCharsets.ISO_8859_1).strip());
      return port <= 65535 ? port : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  public static boolean isFree(int port) {
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
