package dev.queenmq.server;

import dev.queenmq.server.config.ConfigException;
import dev.queenmq.server.config.LogLevel;
import dev.queenmq.server.config.ServerConfig;
import java.util.List;
import java.util.Locale;

/** The process: arguments in, exit code out. */
public final class Main {

  private static final int FAILED = 1;
  private static final int MISUSED = 2;

  private Main() {}

  /** Runs a broker until a signal ends it. */
  public static void main(String[] arguments) {
    List<String> flags = List.of(arguments);
    if (flags.contains("--help") || flags.contains("-h")) {
      System.out.print(ServerConfig.help());
      return;
    }
    try {
      run(ServerConfig.read(System.getenv(), flags));
    } catch (ConfigException e) {
      fail(MISUSED, e);
    }
  }

  private static void run(ServerConfig config) {
    // Before the first logger exists: logback.xml reads them.
    System.setProperty("queen.log.level", logback(config.logLevel()));
    System.setProperty("queen.log.format", config.logFormat().name().toLowerCase(Locale.ROOT));
    QueenServer server = new QueenServer(config, System.out::println);
    SignalStop signals = new SignalStop(server::stop);
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
    System.err.println("queen: cannot start: " + (message == null ? failure : message));
    System.exit(code);
  }
}
