package dev.queenmq.server;

import dev.queenmq.server.config.ConfigException;
import dev.queenmq.server.config.ServerConfig;
import dev.queenmq.server.config.values.LogFormat;
import dev.queenmq.server.config.values.LogLevel;
import dev.queenmq.server.logging.JsonLines;
import dev.queenmq.server.logging.LogSetup;
import dev.queenmq.server.text.OneLine;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process: arguments in, exit code out. */
public final class Main {

  private static final int FAILED = 1;
  private static final int MISUSED = 2;

  private Main() {}

  /** Runs a broker until a signal ends it, or a command until it is done. */
  public static void main(String[] arguments) {
    List<String> flags = List.of(arguments);
    if (flags.contains("--help") || flags.contains("-h")) {
      System.out.print(ServerConfig.help());
      return;
    }
    // Before the first connection of TLS: the JVM reads it once.
    System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
    Map<String, String> environment = System.getenv();
    // First of all: also what is wrong with the settings is reported in the right format.
    format(ServerConfig.logFormat(environment));
    if (BackupCommand.isMeant(flags)) {
      System.setProperty(LogSetup.LEVEL, "warn");
      System.exit(
          new BackupCommand(environment, System.out::println, System.err::println).run(flags));
    }
    try {
      run(ServerConfig.read(environment, flags), ServerConfig.warnings(environment));
    } catch (ConfigException e) {
      fail(MISUSED, e);
    }
  }

  private static void format(LogFormat format) {
    // Before the first logger exists.
    System.setProperty(LogSetup.FORMAT, format.name().toLowerCase(Locale.ROOT));
    if (format == LogFormat.JSON) {
      JsonLines.install(InstantSource.system());
    }
  }

  private static void run(ServerConfig config, List<String> warnings) {
    System.setProperty(LogSetup.LEVEL, logback(config.logLevel()));
    Logger log = LoggerFactory.getLogger(Main.class);
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, failure) ->
            log.error("uncaught exception in thread {}", thread.getName(), failure));
    warnings.forEach(log::warn);
    QueenServer server = new QueenServer(config, System.out::println);
    SignalStop signals = new SignalStop(server::drainAndStop, config.http().drain());
    signals.install();
    server
        .start()
        .onFailure(
            failure -> {
              if (signals.remove()) {
                fail(FAILED, failure);
              }
            });
  }

  private static String logback(LogLevel level) {
    return switch (level) {
      case TRACE, DEBUG, INFO, WARN, ERROR, OFF -> level.name().toLowerCase(Locale.ROOT);
      case CRITICAL -> "error";
    };
  }

  private static void fail(int code, Throwable failure) {
    String message = failure.getMessage();
    System.err.println(
        "queen: cannot start: "
            + OneLine.escaped(oneLine(message == null ? failure.toString() : message)));
    System.exit(code);
  }

  /** Texts of PostgreSQL have several lines; in a log they belong on one line. */
  private static String oneLine(String text) {
    return text.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .collect(Collectors.joining(" | "));
  }
}
