package dev.queenmq.cli;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.queenmq.client.QueenClient;
import dev.queenmq.client.RetryPolicy;
import dev.queenmq.client.admin.QueenAdmin;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What all commands have in common: the broker that they talk to, and how they show results.
 *
 * <p>The first of these counts: {@code --url}, {@code --context}, {@code QUEEN_URL}, the context in
 * use, {@code http://localhost:6632}. A token of a context is sent only to the broker of that
 * context, whatever else is given.
 */
public final class Session implements AutoCloseable {
  private static final String USUAL_URL = "http://localhost:6632";
  private static final RetryPolicy RETRY =
      new RetryPolicy(Duration.ofSeconds(1), Duration.ofMillis(100), Duration.ofMillis(500));

  /** How results are shown. */
  public enum Format {
    /** A table, for people. */
    table,
    /** JSON, for scripts. */
    json
  }

  private record Target(String url, @Nullable String token) {}

  private final Terminal terminal;
  private @Nullable String url;
  private @Nullable String context;
  private @Nullable String token;
  private @Nullable Path tokenFile;
  private Format format = Format.table;
  private Duration timeout = Duration.ofSeconds(30);
  private @Nullable QueenClient client;

  Session(Terminal terminal) {
    this.terminal = terminal;
  }

  void url(String given) {
    url = given;
  }

  void context(String given) {
    context = given;
  }

  void token(String given) {
    token = given;
  }

  void tokenFile(Path given) {
    tokenFile = given;
  }

  void format(Format given) {
    format = given;
  }

  void timeout(Duration given) {
    timeout = given;
  }

  /** What is around the command line. */
  public Terminal terminal() {
    return terminal;
  }

  /** Where results go. */
  public PrintWriter out() {
    return terminal.out();
  }

  /**
   * Writes what is printed so far. Ends the command if that is not possible, before it does
   * something that relies on it, or goes on without a reader.
   */
  public void flush() {
    if (!out().checkError()) {
      return;
    }
    if (out() instanceof Output output) {
      if (output.isClosedByReader()) {
        throw new CliException(ExitCode.PIPE_CLOSED, "");
      }
      throw new CliException(ExitCode.REFUSED, "cannot write the output: " + output.failure());
    }
    throw new CliException(ExitCode.REFUSED, "cannot write the output");
  }

  /** Whether results are for scripts. */
  public boolean json() {
    return format == Format.json;
  }

  /** The client for the broker; made when it is first asked for. */
  public QueenClient client() {
    if (client == null) {
      Target target = target();
      String bearer = bearer(target);
      List<String> urls = List.of(target.url().split(",", -1));
      try {
        QueenClient.Builder builder =
            QueenClient.builder()
                .urls(urls)
                .objectMapper(new JsonMapper())
                .retry(RETRY)
                .requestTimeout(timeout);
        client = (bearer == null ? builder : builder.token(() -> bearer)).build();
      } catch (IllegalArgumentException e) {
        throw new CliException(ExitCode.USAGE, String.valueOf(e.getMessage()));
      }
    }
    return client;
  }

  /** Ends the command if a text is not one URL, or several with commas between. */
  public static void checkUrls(String urls) {
    try {
      QueenClient.builder().urls(List.of(urls.split(",", -1)));
    } catch (IllegalArgumentException e) {
      throw new CliException(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }

  /** What operators do. */
  public QueenAdmin admin() {
    return client().admin();
  }

  /** The URL of the broker, for people. */
  public String brokerUrl() {
    return target().url();
  }

  private Target target() {
    if (url != null) {
      return new Target(url, null);
    }
    if (context != null) {
      return of(Contexts.of(terminal).get(context));
    }
    Optional<String> variable = variable("QUEEN_URL");
    if (variable.isPresent()) {
      return new Target(variable.get(), null);
    }
    Contexts contexts = Contexts.of(terminal);
    return contexts
        .current()
        .map(name -> of(contexts.get(name)))
        .orElseGet(() -> new Target(USUAL_URL, null));
  }

  private static Target of(Contexts.Context context) {
    return new Target(context.url(), context.token());
  }

  private @Nullable String bearer(Target target) {
    if (token != null) {
      return token;
    }
    if (tokenFile != null) {
      try {
        return Files.readString(tokenFile).strip();
      } catch (IOException e) {
        throw new CliException(ExitCode.USAGE, "cannot read the token in " + tokenFile);
      }
    }
    return target.token() != null ? target.token() : variable("QUEEN_TOKEN").orElse(null);
  }

  private Optional<String> variable(String name) {
    return Optional.ofNullable(terminal.environment().get(name)).filter(text -> !text.isBlank());
  }

  /** Shows a table to people, and a value to scripts. */
  public void show(Object value, Table table, String ifEmpty) {
    if (json()) {
      out().println(Printer.document(value));
    } else {
      table.print(out(), terminal.width(), ifEmpty);
    }
  }

  /** Shows a sentence to people, and a value to scripts. */
  public void say(Object value, String sentence) {
    out().println(json() ? Printer.document(value) : sentence);
  }

  /**
   * Asks a person before something that cannot be undone.
   *
   * @param yes whether it was said on the command line
   * @param what will happen
   */
  public void confirm(boolean yes, String what) {
    if (yes) {
      return;
    }
    if (!terminal.interactive()) {
      throw new CliException(ExitCode.USAGE, what + ". Add --yes to do it.");
    }
    terminal.err().print(what + ". Go on? [y/N] ");
    terminal.err().flush();
    try {
      if (!terminal.readLine().matches("(?i)y|yes")) {
        throw new CliException(ExitCode.REFUSED, "nothing was done");
      }
    } catch (IOException e) {
      throw new CliException(ExitCode.REFUSED, "nothing was done");
    }
  }

  @Override
  public void close() {
    if (client != null) {
      client.close(Duration.ofSeconds(5));
    }
  }
}
