package dev.queenmq.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where lines of JSON go beside the output; the same option for all commands. */
public final class JsonLines {
  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Appends a line of JSON for each measurement.")
  private Optional<Path> file = Optional.empty();

  /** Prints a line, and appends it. */
  public void add(PrintWriter out, String line) {
    out.println(line);
    out.flush();
    append(line);
  }

  /** Appends a line to the file, if there is one. */
  public void append(String line) {
    if (file.isPresent()) {
      try {
        Files.writeString(
            file.get(), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
