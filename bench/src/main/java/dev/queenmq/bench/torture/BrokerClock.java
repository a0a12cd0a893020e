package dev.queenmq.bench.torture;

import dev.queenmq.bench.broker.Commands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The wall clock of one broker, which can be wrong: a library between it and the system, made here
 * where there is a C compiler. How wrong it is stands in a file that the broker has mapped.
 */
final class BrokerClock {
  private static final String SOURCE = "/torture/clock.c";

  private final Path file;
  private final Path library;
  private final Optional<String> missing;

  private BrokerClock(Path file, Path library, Optional<String> missing) {
    this.file = file;
    this.library = library;
    this.missing = missing;
  }

  /** Makes one in this folder. */
  static BrokerClock make(Path folder) {
    Path source = folder.resolve("clock.c");
    Path library = folder.resolve("clock.so");
    try (InputStream text = BrokerClock.class.getResourceAsStream(SOURCE)) {
      if (text == null) {
        throw new IllegalStateException("no " + SOURCE);
      }
      Files.copy(text, source);
      Optional<String> refusal =
          Commands.run(
              List.of(
                  "cc",
                  "-O2",
                  "-shared",
                  "-fPIC",
                  "-o",
                  library.toString(),
                  source.toString(),
                  "-ldl"));
      BrokerClock clock = new BrokerClock(folder.resolve("clock"), library, refusal);
      clock.set(0);
      return clock;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Why there is none; empty if there is. */
  Optional<String> missing() {
    return missing.map(why -> "no C compiler that works (" + why + ")");
  }

  /** What a broker needs to be started with. */
  Map<String, String> settings() {
    return Map.of("LD_PRELOAD", library.toString(), "TORTURE_CLOCK", file.toString());
  }

  /** Sets it ahead by this many seconds, from now on. */
  void set(long seconds) {
    ByteBuffer number =
        ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder()).putLong(0, seconds);
    try {
      // In place, because it is mapped.
      Files.write(file, number.array(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
