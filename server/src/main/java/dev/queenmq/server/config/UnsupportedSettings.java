package dev.queenmq.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Variables that ask for protection which this version cannot give. Going on without it would be
 * worse than not starting, so they stop the start. Their values are not repeated: some are secrets.
 */
final class UnsupportedSettings {

  private static final Setting<Boolean> JWT_ENABLED =
      SettingKinds.flag("JWT_ENABLED", false, "Whether callers must show a token.");

  /** What is told of each, in the page of settings too. */
  static final List<Unsupported> ALL =
      List.of(
          new Unsupported(
              JWT_ENABLED.name(),
              "true",
              "cannot check tokens yet, so that everybody could do everything. Unset it, and let only"
                  + " those reach the port who may"));

  private UnsupportedSettings() {}

  /**
   * One of them.
   *
   * @param when it is in the way: {@code true}
   * @param reason continues a sentence that begins with "this version"
   */
  record Unsupported(String name, String when, String reason) {}

  static List<String> mistakes(Map<String, String> environment) {
    List<String> mistakes = new ArrayList<>();
    for (Unsupported unsupported : ALL) {
      try {
        if (isAskedFor(unsupported.name(), environment)) {
          mistakes.add(
              "%s is %s, but this version %s"
                  .formatted(unsupported.name(), unsupported.when(), unsupported.reason()));
        }
      } catch (IllegalArgumentException e) {
        mistakes.add(String.valueOf(e.getMessage()));
      }
    }
    return mistakes;
  }

  private static boolean isAskedFor(String name, Map<String, String> environment) {
    if (name.equals(JWT_ENABLED.name())) {
      return JWT_ENABLED.read(environment).orElse(false);
    }
    return !environment.getOrDefault(name, "").isBlank();
  }
}
