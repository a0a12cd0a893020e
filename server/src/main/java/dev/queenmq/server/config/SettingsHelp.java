package dev.queenmq.server.config;

import java.util.List;
import java.util.stream.Collectors;

/** Tells people about the settings, on a terminal and on a page; both come from the catalogue. */
final class SettingsHelp {

  private static final int TEXT_WIDTH = 76;

  private SettingsHelp() {}

  /** For {@code --help}. */
  static String text() {
    StringBuilder text =
        new StringBuilder(
            """
            usage: queen server [--port N] [--host H]

            Starts the broker. Without PG_HOST it runs a PostgreSQL of its own.
            Everything else is set in the environment:
            """);
    for (Settings.Group group : Settings.groups()) {
      text.append('\n').append(group.title()).append('\n');
      for (Setting<?> setting : group.settings()) {
        text.append("  ").append(setting.name());
        if (!setting.fallback().isEmpty()) {
          text.append(" [").append(setting.fallback()).append(']');
        }
        text.append('\n');
        wrap(setting.meaning().replace("`", ""))
            .forEach(l -> text.append("      ").append(l).append('\n'));
      }
    }
    return text.toString();
  }

  /** For {@code docs/configuration.md}. */
  static String markdown() {
    return """
        # Configuration

        The server reads its settings once, at start, from environment variables. A blank variable counts
        as absent. A value that cannot be understood stops the start with a message that names it; nothing
        is guessed. `--port` and `--host` on the command line win over the environment.

        This page is generated from the catalogue of settings in the code (`Settings.java`); a test keeps
        the two equal.
        """
        + Settings.groups().stream().map(SettingsHelp::section).collect(Collectors.joining());
  }

  private static String section(Settings.Group group) {
    return group.settings().stream()
        .map(SettingsHelp::row)
        .collect(
            Collectors.joining(
                "",
                "\n## "
                    + group.title()
                    + "\n\n| Variable | Default | Accepted | Meaning |\n|---|---|---|---|\n",
                ""));
  }

  private static String row(Setting<?> setting) {
    String fallback = setting.fallback().isEmpty() ? "none" : "`" + setting.fallback() + "`";
    return "| `%s` | %s | %s | %s |\n"
        .formatted(setting.name(), fallback, setting.accepted(), setting.meaning());
  }

  private static List<String> wrap(String paragraph) {
    StringBuilder text = new StringBuilder();
    int column = 0;
    for (String word : paragraph.split(" ", -1)) {
      if (column > 0 && column + 1 + word.length() > TEXT_WIDTH) {
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
