package dev.queenmq.bench.torture;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/** What happened, one JSON object a line, for later looks. For one thread. */
final class History implements AutoCloseable {
  private final PrintWriter out;

  /** A history that is written to this file, or nowhere. */
  History(Optional<Path> file) {
    try {
      out =
          new PrintWriter(
              file.isPresent() ? Files.newBufferedWriter(file.get()) : Writer.nullWriter());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes it down, with the time. */
  void add(String event, JsonObject details) {
    JsonObject line = new JsonObject().put("at", Instant.now().toString()).put("event", event);
    out.println(line.mergeIn(details).encode());
    out.flush();
  }

  @Override
  public void close() {
    out.close();
  }
}
