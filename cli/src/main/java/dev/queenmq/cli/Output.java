package dev.queenmq.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An output that remembers why it can no longer be written. A {@link PrintWriter} says only that it
 * cannot, and a pipe that {@code head} has closed is not an error as a full disk is one.
 */
final class Output extends PrintWriter {
  private final Watched stream;

  private Output(Watched stream) {
    super(stream, false, StandardCharsets.UTF_8);
    this.stream = stream;
  }

  static Output to(OutputStream out) {
    return new Output(new Watched(out));
  }

  /** Whether its reader has gone. */
  boolean isClosedByReader() {
    IOException failure = stream.failure;
    return failure != null && "Broken pipe".equals(failure.getMessage());
  }

  /** Why it cannot be written; empty if it can. */
  String failure() {
    IOException failure = stream.failure;
    return failure == null ? "" : String.valueOf(failure.getMessage());
  }

  private static final class Watched extends FilterOutputStream {
    private volatile @Nullable IOException failure;

    Watched(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      try {
        out.write(bytes, from, count);
      } catch (IOException e) {
        failure = e;
        throw e;
      }
    }
  }
}
