package dev.queenmq.bench.torture;

import io.vertx.core.json.JsonObject;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What happened, one JSON object a line, for later looks. For one thread. */
final class History implements AutoCloseable {
  private final @Nullable BufferedWriter out;

  /** To this file, or nowhere. */
  History(Optional<Path> file) {
    try {
      out = file.isPresent() ? Files.newBufferedWriter(file.get()) : null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes it down, with the time. */
  void add(String event, JsonObject details) {
    if (out == null) {
      return;
    }
    try {
      out.write(
          new JsonObject()
              .put("at", Instant.now().toString())
              .put("event", event)
              .mergeIn(details)
              .encode());
      out.newLine();
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      if (out != null) {
        out.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
