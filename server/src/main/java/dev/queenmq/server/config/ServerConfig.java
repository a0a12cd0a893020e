package dev.queenmq.server.config;

import dev.queenmq.server.config.values.LogFormat;
import dev.queenmq.server.config.values.LogLevel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Everything that an operator can choose.
 *
 * @param startTimeout patience with a PostgreSQL that does not answer yet, or is busy
 * @param workerId name of this broker in metrics
 * @param withoutMeaning variables and flags that are set, and known, but have no effect in this
 *     broker
 */
public record ServerConfig(
    HttpConfig http,
    LogLevel logLevel,
    PostgresSource postgres,
    SessionConfig session,
    Duration startTimeout,
    LogFormat logFormat,
    String workerId,
    SidecarConfig sidecar,
    PopConfig pop,
    ClusterConfig cluster,
    EncryptionConfig encryption,
    SpoolConfig spool,
    UpkeepConfig upkeep,
    StatisticsConfig statistics,
    AuthConfig auth,
    BoundsConfig bounds,
    List<String> withoutMeaning) {

  /** With defaults for the rest, for tools and tests that read no environment. */
  public ServerConfig(
      HttpConfig http,
      LogLevel logLevel,
      PostgresSource postgres,
      SessionConfig session,
      Duration startTimeout) {
    this(http, logLevel, postgres, session, startTimeout, read(Map.of(), List.of()));
  }

  private ServerConfig(
      HttpConfig http,
      LogLevel logLevel,
      PostgresSource postgres,
      SessionConfig session,
      Duration startTimeout,
      ServerConfig rest) {
    this(
        http,
        logLevel,
        postgres,
        session,
        startTimeout,
        rest.logFormat,
        rest.workerId,
        rest.sidecar,
        rest.pop,
        rest.cluster,
        rest.encryption,
        SpoolConfig.none(),
        rest.upkeep,
        rest.statistics,
        rest.auth,
        rest.bounds,
        rest.withoutMeaning);
  }

  /**
   * Reads the environment, and then the flags, which win.
   *
   * @throws ConfigException with all mistakes at once
   */
  public static ServerConfig read(Map<String, String> environment, List<String> flags) {
    ServerConfig config = read(Flags.over(environment, flags), Machine.current());
    return flags.contains(Flags.DEV) ? config.withoutMeaning(Flags.DEV) : config;
  }

  /** Reads the environment, with the defaults of a machine. */
  static ServerConfig read(Map<String, String> environment, Machine machine) {
    SettingsReader reader = new SettingsReader(environment, machine);
    ServerConfig config =
        new ServerConfig(
            HttpConfig.read(reader),
            reader.value(Settings.LOG_LEVEL),
            PostgresSource.read(reader),
            SessionConfig.read(reader),
            reader.value(Settings.QUEEN_START_TIMEOUT),
            reader.value(Settings.LOG_FORMAT),
            reader.value(Settings.WORKER_ID),
            SidecarConfig.read(reader),
            PopConfig.read(reader),
            ClusterConfig.read(reader),
            EncryptionConfig.read(reader),
            SpoolConfig.read(reader),
            UpkeepConfig.read(reader),
            StatisticsConfig.read(reader),
            AuthConfig.read(reader),
            BoundsConfig.read(reader),
            IgnoredLegacySettings.setIn(environment));
    UnknownSettings.in(environment).stream()
        .filter(UnknownSettings.Unknown::isMistake)
        .map(UnknownSettings.Unknown::text)
        .forEach(reader::mistake);
    reader.finish();
    return config;
  }

  private ServerConfig withoutMeaning(String another) {
    List<String> names = new ArrayList<>(withoutMeaning);
    names.add(another);
    return new ServerConfig(
        http,
        logLevel,
        postgres,
        session,
        startTimeout,
        logFormat,
        workerId,
        sidecar,
        pop,
        cluster,
        encryption,
        spool,
        upkeep,
        statistics,
        auth,
        bounds,
        List.copyOf(names));
  }

  /**
   * What an environment sets and the server does not know, in a line each. Those that are a mistake
   * are not among them: {@link #read} fails with them.
   */
  public static List<String> warnings(Map<String, String> environment) {
    return UnknownSettings.in(environment).stream()
        .filter(unknown -> !unknown.isMistake())
        .map(UnknownSettings.Unknown::text)
        .toList();
  }

  /**
   * The format that an environment chooses for log lines, known before anything else is read: a
   * mistake in any other setting is reported in it. Text if the choice itself is a mistake.
   */
  public static LogFormat logFormat(Map<String, String> environment) {
    try {
      return Settings.LOG_FORMAT.read(environment).orElse(LogFormat.TEXT);
    } catch (IllegalArgumentException e) {
      return LogFormat.TEXT;
    }
  }

  /** The text of {@code --help}. */
  public static String help() {
    return SettingsHelp.text();
  }
}
