package dev.queenmq.bench.broker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Programs of the system. */
public final class Commands {
  private static final long LIMIT_SECONDS = 60;

  private Commands() {}

  /** Runs one; why it failed, empty if it did not. */
  public static Optional<String> run(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
      return ended && process.exitValue() == 0
          ? Optional.empty()
          : Optional.of(command.get(0) + ": " + (output.isEmpty() ? "failed" : output));
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
