package dev.queenmq.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/**
 * What a command line has around it.
 *
 * @param in what is piped into it, or typed
 * @param out for results
 * @param err for questions, progress and errors
 * @param interactive whether a person can answer questions
 * @param width characters of a line that results are shown in; 0 if they go elsewhere
 * @param environment variables
 * @param home folder of its user
 */
public record Terminal(
    InputStream in,
    PrintWriter out,
    PrintWriter err,
    boolean interactive,
    int width,
    Map<String, String> environment,
    Path home) {

  /**
   * That of this process. The launcher knows which of the three streams are terminals: Java itself
   * reports it since version 22 only.
   */
  public static Terminal ofProcess() {
    return new Terminal(
        System.in,
        // Not System.out, which hides write errors.
        Output.to(new FileOutputStream(FileDescriptor.out)),
        new PrintWriter(System.err, true, StandardCharsets.UTF_8),
        Boolean.getBoolean("queen.interactive"),
        Integer.getInteger("queen.columns", 0),
        System.getenv(),
        Path.of(System.getProperty("user.home", ".")));
  }

  /** A line that a person types, without its end; empty at the end of the input. */
  public String readLine() throws IOException {
    StringBuilder line = new StringBuilder();
    int c = in.read();
    while (c >= 0 && c != '\n') {
      line.append((char) c);
      c = in.read();
    }
    return line.toString().strip();
  }
}
