package dev.queenmq.cli;

import dev.queenmq.client.QueenException;
import dev.queenmq.client.UnauthorizedException;
import dev.queenmq.client.UnavailableException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The process: arguments in, exit code out. */
@Command(
    name = "queen",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    headerHeading = "",
    description = "Inspects and manages the queues of a Queen MQ broker.",
    footer = {
      "",
      "The broker is taken from --url, --context, QUEEN_URL, the context in use, or"
          + " http://localhost:6632.",
      "Exit codes: 0 done, 1 refused or not there, 2 wrong arguments, 3 no broker answers,",
      "4 not allowed, 5 no message."
    })
public final class Cli implements Runnable {
  private final Session session;

  @Spec private @Nullable CommandSpec spec;

  private Cli(Session session) {
    this.session = session;
  }

  /** Runs a command and ends the process. */
  public static void main(String[] arguments) {
    // The client logs through SLF4J, which warns on every start that it has no provider.
    System.setProperty("slf4j.internal.verbosity", "ERROR");
    Terminal terminal = Terminal.ofProcess();
    int code = run(terminal, List.of(arguments));
    terminal.out().flush();
    System.exit(code);
  }

  /** Runs a command. */
  public static int run(Terminal terminal, List<String> arguments) {
    try (Session session = new Session(terminal)) {
      CommandLine line = commandLine(session, arguments);
      int code = line.execute(arguments.toArray(String[]::new));
      return code == ExitCode.DONE ? written(session) : code;
    } finally {
      terminal.out().flush();
      terminal.err().flush();
    }
  }

  private static UUID id(String text) {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException("'" + text + "' is not an id (a UUID)");
    }
  }

  /** Fails if the result could not be written. */
  private static int written(Session session) {
    try {
      session.flush();
      return ExitCode.DONE;
    } catch (CliException e) {
      return failed(session, e);
    }
  }

  private static int failed(Session session, CliException failure) {
    String message = String.valueOf(failure.getMessage());
    if (!message.isEmpty()) {
      session.terminal().err().println("queen: " + Table.printable(message));
    }
    return failure.exitCode();
  }

  /**
   * All commands; or only the one that the arguments begin with, because to read the annotations of
   * all of them takes longer than most commands do.
   */
  static CommandLine commandLine(Session session, List<String> arguments) {
    CommandLine line = new CommandLine(new Cli(session));
    Commands.addTo(line, session, arguments.isEmpty() ? "" : arguments.get(0));
    line.setOut(session.terminal().out());
    line.setErr(session.terminal().err());
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.registerConverter(Duration.class, Moments::duration);
    line.registerConverter(java.time.Instant.class, Moments::moment);
    line.registerConverter(UUID.class, Cli::id);
    // Not RunLast itself: picocli gives that one the standard streams back if they were replaced.
    line.setExecutionStrategy(parsed -> new CommandLine.RunLast().execute(parsed));
    line.setUsageHelpAutoWidth(false);
    line.setUsageHelpWidth(100);
    line.setExecutionExceptionHandler((failure, command, result) -> failed(session, failure));
    line.setParameterExceptionHandler(Cli::misused);
    return line;
  }

  private static int failed(Session session, Exception failure) throws Exception {
    String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    int code = ExitCode.REFUSED;
    if (failure instanceof CliException known) {
      return failed(session, known);
    } else if (failure instanceof IllegalArgumentException) {
      code = ExitCode.USAGE;
    } else if (failure instanceof UnavailableException) {
      code = ExitCode.UNAVAILABLE;
      message = "no broker answers: " + message + "; --url and QUEEN_URL name another";
    } else if (failure instanceof UnauthorizedException) {
      code = ExitCode.UNAUTHORIZED;
    } else if (failure instanceof NoSuchFileException) {
      message = "there is no file " + failure.getMessage();
    } else if (!(failure instanceof QueenException
        || failure instanceof UncheckedIOException
        || failure instanceof java.io.IOException)) {
      throw failure;
    }
    session.terminal().err().println("queen: " + Table.printable(message));
    return code;
  }

  private static int misused(ParameterException failure, String[] arguments) {
    CommandLine command = failure.getCommandLine();
    command.getErr().println("queen: " + failure.getMessage());
    if (!CommandLine.UnmatchedArgumentException.printSuggestions(failure, command.getErr())) {
      command
          .getErr()
          .println(
              "Try `" + command.getCommandSpec().qualifiedName() + " --help` for all options.");
    }
    return ExitCode.USAGE;
  }

  @Override
  public void run() {
    if (spec != null) {
      spec.commandLine().usage(session.out());
    }
  }

  @Option(
      names = "--url",
      scope = ScopeType.INHERIT,
      paramLabel = "URL",
      description = "The URL of the broker; separate several with commas.")
  void url(String given) {
    session.url(given);
  }

  @Option(
      names = "--context",
      scope = ScopeType.INHERIT,
      paramLabel = "NAME",
      description = "The broker by the name of its context, see `queen context`.")
  void context(String given) {
    session.context(given);
  }

  @Option(
      names = "--token",
      scope = ScopeType.INHERIT,
      paramLabel = "TOKEN",
      description =
          "The bearer token. Better: --token-file or QUEEN_TOKEN, which do not show in the process list.")
  void token(String given) {
    session.token(given);
  }

  @Option(
      names = "--token-file",
      scope = ScopeType.INHERIT,
      paramLabel = "FILE",
      description = "A file with the bearer token.")
  void tokenFile(Path given) {
    session.tokenFile(given);
  }

  @Option(
      names = {"-o", "--output"},
      scope = ScopeType.INHERIT,
      paramLabel = "FORMAT",
      description = "table, or json for scripts.")
  void format(Session.Format given) {
    session.format(given);
  }

  @Option(
      names = "--timeout",
      scope = ScopeType.INHERIT,
      paramLabel = "TIME",
      description = "How long a request may take, 30s unless given.")
  void timeout(Duration given) {
    session.timeout(given);
  }
}
