package dev.queenmq.server.config;

import java.util.List;
import java.util.stream.Collectors;

/** Describes the settings, on a terminal and on a page; both come from the catalogue. */
final class SettingsHelp {

  private static final int TEXT_WIDTH = 76;
  private static final int PAGE_WIDTH = 118;
  private static final String REST =
      "Variables of older deployment files that have no meaning here are accepted;"
          + " docs/configuration.md lists them.";

  private SettingsHelp() {}

  /** For {@code --help}. */
  public static String text() {
    StringBuilder text =
        new StringBuilder(
            """
            usage: queen server [--port N] [--host H] [--dev]

            Starts the broker. Without PG_HOST it runs a PostgreSQL of its own.
            --dev is accepted for the sake of existing scripts and has no effect.
            Everything else is set in the environment:
            """);
    for (Setting.Group group : Settings.groups()) {
      text.append('\n').append(group.title()).append('\n');
      for (Setting<?> setting : group.settings()) {
        text.append("  ").append(setting.name());
        String fallback = plain(setting.describeFallback());
        if (!fallback.isEmpty()) {
          text.append(" [").append(fallback).append(']');
        }
        text.append('\n');
        wrap(plain(setting.meaning()), TEXT_WIDTH)
            .forEach(line -> text.append("      ").append(line).append('\n'));
      }
    }
    String rest = String.join("\n", wrap(REST, TEXT_WIDTH));
    return text.append('\n').append(rest).append('\n').toString();
  }

  /** For {@code docs/configuration.md}. */
  public static String markdown() {
    return """
    # Configuration

    The broker reads its settings once, at start, from environment variables. A blank variable counts as
    absent. A value that the broker cannot parse stops the start with a message that names the variable;
    the broker never guesses. `--port` and `--host` on the command line win over the environment.

    A variable that begins with `QUEEN_`, `PG_` or `JWT_` and is not on this page has no effect, and a
    log line says so. If the name is close to a setting, the line suggests it: `unknown setting
    QUEEN_DATADIR, did you mean QUEEN_DATA_DIR?`. If that setting protects the broker (tokens, TLS, limits
    of the port, encryption), the start stops, because the broker would otherwise run unprotected.
    Variables that Kubernetes sets for a service, such as `QUEEN_SERVICE_HOST`, are ignored.

    This page is generated from the catalogue of settings in the code; a test keeps the two equal.
    """
        + Settings.groups().stream().map(SettingsHelp::section).collect(Collectors.joining())
        + withoutMeaning();
  }

  private static String withoutMeaning() {
    return IgnoredLegacySettings.groups().stream()
        .map(g -> item("%s. Variables: `%s`.".formatted(g.what(), String.join("`, `", g.names()))))
        .collect(
            Collectors.joining(
                "",
                """

                ## Accepted, without meaning in this broker

                Existing deployment files set these. They are accepted and have no effect. With `LOG_LEVEL=debug`
                the broker lists at start those that are set. The same holds for the flag `--dev`.

                """,
                ""));
  }

  private static String section(Setting.Group group) {
    return group.settings().stream()
        .map(SettingsHelp::row)
        .collect(Collectors.joining("", "\n## " + group.title() + "\n\n", ""));
  }

  private static String row(Setting<?> setting) {
    return item(
        "**`%s`**: %s Default: %s. Accepted: %s."
            .formatted(setting.name(), meaning(setting), fallback(setting), setting.accepted()));
  }

  private static String fallback(Setting<?> setting) {
    if (!setting.fallbackWords().isEmpty()) {
      return setting.fallbackWords();
    }
    return setting.fallback().isEmpty() ? "none" : "`" + setting.fallback() + "`";
  }

  private static String meaning(Setting<?> setting) {
    if (setting.otherNames().isEmpty()) {
      return setting.meaning();
    }
    return setting.meaning() + " Also: `" + String.join("`, `", setting.otherNames()) + "`.";
  }

  /** An element of a list, in lines that are not too long to read. */
  private static String item(String paragraph) {
    return "- " + String.join("\n  ", wrap(paragraph, PAGE_WIDTH)) + "\n";
  }

  private static String plain(String markdown) {
    return markdown.replace("`", "");
  }

  private static List<String> wrap(String paragraph, int width) {
    StringBuilder text = new StringBuilder();
    int column = 0;
    for (String word : paragraph.split(" ", -1)) {
      if (column > 0 && column + 1 + word.length() > width) {
        text.append('\n');
        column = 0;
      } else if (column > 0) {
        text.append(' ');
        column++;
      }
      text.append(word);
      column += word.length();
    }
    return text.toString().lines().toList();
  }
}
