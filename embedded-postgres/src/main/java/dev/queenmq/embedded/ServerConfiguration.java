package dev.queenmq.embedded;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The text of {@code postgresql.conf}, written at every start: ours first, then the user's file,
 * then what the caller asked for. Later lines win.
 */
record ServerConfiguration(
    long machineMemory, Path userFile, Map<String, String> extra, boolean durable) {

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]*");
  private static final long MIB = 1024 * 1024;

  ServerConfiguration {
    extra.keySet().stream()
        .filter(name -> !NAME.matcher(name).matches())
        .findAny()
        .ifPresent(
            name -> {
              throw new IllegalArgumentException("no name of a PostgreSQL setting: " + name);
            });
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append("# Written by Queen MQ at every start: changes made here are lost.\n");
    text.append("# Your own settings go to ").append(oneLine(userFile)).append("\n\n");
    if (durable) {
      text.append(
          "# Nothing here may lose a commit. The server is asked for these after the start.\n");
      append(text, durability());
    } else {
      text.append("# For a test: a crash may lose everything.\n");
      durability().keySet().forEach(name -> append(text, Map.of(name, "off")));
    }
    text.append("\n# A queue on a small machine.\n");
    append(text, tuning());
    text.append("\ninclude_if_exists = ").append(quoted(userFile.toString())).append("\n");
    if (!extra.isEmpty()) {
      text.append("\n# Asked for by the program that started this server.\n");
      append(text, extra);
    }
    return text.toString();
  }

  static Map<String, String> durability() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("fsync", "on");
    settings.put("full_page_writes", "on");
    settings.put("synchronous_commit", "on");
    return settings;
  }

  private Map<String, String> tuning() {
    long shared = Math.max(32, Math.min(256, machineMemory / MIB / 8));
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("max_connections", "100");
    settings.put("shared_buffers", shared + "MB");
    settings.put("effective_cache_size", Math.max(2 * shared, machineMemory / MIB / 2) + "MB");
    settings.put("max_wal_size", "2GB");
    settings.put("checkpoint_timeout", "15min");
    settings.put("checkpoint_completion_target", "0.9");
    settings.put("random_page_cost", "1.1");
    // Statements are short and many: compiling or spreading one costs more than it saves, and
    // parallel workers need shared memory that containers keep small.
    settings.put("jit", "off");
    settings.put("max_parallel_workers_per_gather", "0");
    settings.put("timezone", "UTC");
    settings.put("log_timezone", "UTC");
    settings.put("log_checkpoints", "off");
    settings.put("log_line_prefix", "%m [%p] ");
    return settings;
  }

  private static void append(StringBuilder text, Map<String, String> settings) {
    settings.forEach(
        (name, value) -> text.append(name).append(" = ").append(quoted(value)).append('\n'));
  }

  /** A value as PostgreSQL's configuration reads it, where a backslash begins an escape. */
  private static String quoted(String value) {
    return "'" + value.replace("\\", "\\\\").replace("'", "''").replace("\n", "\\n") + "'";
  }

  private static String oneLine(Path path) {
    return path.toString().replaceAll("\\R", " ");
  }
}
