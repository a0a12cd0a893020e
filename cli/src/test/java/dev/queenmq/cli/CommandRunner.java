package dev.queenmq.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs commands in this JVM, as a shell would. */
final class CommandRunner {

  /** What a command wrote, and how it ended. */
  record Outcome(int code, String out, String err) {}

  private final Path home;
  private final Map<String, String> environment = new HashMap<>();
  private boolean interactive;
  private InputStream input = InputStream.nullInputStream();
  private @Nullable OutputStream output;

  CommandRunner(Path home) {
    this.home = home;
  }

  /** With a variable from now on. */
  CommandRunner with(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** With this as input of the next command. */
  CommandRunner input(String text) {
    return input(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** With this as input of the next command. */
  CommandRunner input(InputStream in) {
    input = in;
    return this;
  }

  /** As if a person sat there from now on. */
  CommandRunner interactive(boolean person) {
    interactive = person;
    return this;
  }

  /** With an output of the next command that fails like this after a number of bytes. */
  CommandRunner outputFails(String failure, int after) {
    return output(new BrokenOutput(failure, after));
  }

  /** With an output of the next command that shows only what is flushed. */
  CommandRunner output(OutputStream out) {
    output = out;
    return this;
  }

  /** A line as people type it. */
  Outcome line(String line) {
    return run(words(line).toArray(String[]::new));
  }

  Outcome run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Terminal terminal =
        new Terminal(
            input,
            output == null ? new PrintWriter(out) : Output.to(output),
            new PrintWriter(err),
            interactive,
            interactive ? 100 : 0,
            environment,
            home);
    input = InputStream.nullInputStream();
    output = null;
    int code = Cli.run(terminal, List.of(arguments));
    return new Outcome(code, out.toString(), err.toString());
  }

  /** Words of a line; quotes keep one together. */
  static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    char quote = 0;
    boolean begun = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quote != 0) {
        if (c == quote) {
          quote = 0;
        } else {
          word.append(c);
        }
      } else if (c == '\'' || c == '"') {
        quote = c;
        begun = true;
      } else if (c == ' ') {
        if (begun) {
          words.add(word.toString());
        }
        word.setLength(0);
        begun = false;
      } else {
        word.append(c);
        begun = true;
      }
    }
    if (begun) {
      words.add(word.toString());
    }
    return words;
  }

  /** A pipe without a reader, or a disk without room. */
  private static final class BrokenOutput extends OutputStream {
    private final String failure;
    private int left;

    BrokenOutput(String failure, int left) {
      this.failure = failure;
      this.left = left;
    }

    @Override
    public void write(int b) throws IOException {
      if (left-- <= 0) {
        throw new IOException(failure);
      }
    }
  }
}
