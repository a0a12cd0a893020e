package dev.queenmq.server.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The command line's way to set a variable: {@code --port 80} or {@code --port=80}. {@code --dev},
 * which scripts for the older server may pass, is accepted and means nothing.
 */
final class Flags {

  private static final Map<String, Setting<?>> KNOWN =
      Map.of("--port", HttpConfig.PORT, "--host", HttpConfig.HOST);

  /** Accepted, without meaning here; takes no value. */
  static final String DEV = "--dev";

  private Flags() {}

  /** The environment as if the flags had been set there. */
  static Map<String, String> over(Map<String, String> environment, List<String> flags) {
    Map<String, String> result = new HashMap<>(environment);
    List<String> mistakes = new ArrayList<>();
    for (int i = 0; i < flags.size(); i++) {
      if (flags.get(i).equals(DEV)) {
        continue;
      }
      String[] parts = flags.get(i).split("=", 2);
      Setting<?> setting = KNOWN.get(parts[0]);
      String value = "";
      if (parts.length == 2) {
        value = parts[1];
      } else if (i + 1 < flags.size() && setting != null) {
        i++;
        value = flags.get(i);
      }
      if (setting == null) {
        mistakes.add(
            "unknown flag '%s' (known: --port N, --host H, --dev)".formatted(flags.get(i)));
      } else if (value.isBlank()) {
        mistakes.add("flag '%s' needs a value".formatted(parts[0]));
      } else {
        result.put(setting.name(), value);
      }
    }
    if (!mistakes.isEmpty()) {
      throw new ConfigException(mistakes);
    }
    return result;
  }
}
