package dev.queenmq.server.http.server;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which process listens on a port, as far as Linux shows it to this user. Elsewhere, and for other
 * users' processes, it is not known.
 */
final class PortOwner {
  private static final Path PROC = Path.of("/proc");
  private static final String LISTENING = "0A";
  private static final int ADDRESS = 1;
  private static final int STATE = 3;
  private static final int INODE = 9;
  private static final int READINGS = 3;

  private PortOwner() {}

  static Optional<Long> of(int port) {
    Optional<Long> owner = Optional.empty();
    // While sockets come and go, one reading of the tables may pass over an entry.
    for (int reading = 0; reading < READINGS && owner.isEmpty(); reading++) {
      owner = read(port);
    }
    return owner;
  }

  private static Optional<Long> read(int port) {
    try {
      Set<String> sockets = new HashSet<>();
      for (String table : List.of("tcp", "tcp6")) {
        Path file = PROC.resolve("net").resolve(table);
        if (Files.isReadable(file)) {
          Files.readAllLines(file).forEach(line -> listening(line, port, sockets));
        }
      }
      return sockets.isEmpty() ? Optional.empty() : holder(sockets);
    } catch (IOException | RuntimeException e) {
      // It would only have made the message better.
      return Optional.empty();
    }
  }

  private static void listening(String line, int port, Set<String> sockets) {
    String[] fields = line.strip().split("\\s+", -1);
    if (fields.length > INODE
        && fields[STATE].equals(LISTENING)
        && fields[ADDRESS].endsWith(":%04X".formatted(port))) {
      sockets.add("socket:[" + fields[INODE] + "]");
    }
  }

  private static Optional<Long> holder(Set<String> sockets) throws IOException {
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
      for (Path process : processes) {
        if (holds(process, sockets)) {
          return Optional.of(Long.parseLong(String.valueOf(process.getFileName())));
        }
      }
    }
    return Optional.empty();
  }

  private static boolean holds(Path process, Set<String> sockets) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
      for (Path file : files) {
        if (sockets.contains(Files.readSymbolicLink(file).toString())) {
          return true;
        }
      }
    } catch (IOException | RuntimeException e) {
      // Another user's, or it has just ended.
    }
    return false;
  }
}
