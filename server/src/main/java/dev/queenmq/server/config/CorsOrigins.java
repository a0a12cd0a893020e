package dev.queenmq.server.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The web pages that may read answers, by where they come from.
 *
 * @param any whether all may; then none is named
 * @param named {@code https://host} or {@code https://host:port}, in lower case
 */
public record CorsOrigins(boolean any, Set<String> named) {

  private static final Pattern ORIGIN =
      Pattern.compile("[a-z][a-z0-9+.-]*://(?:[a-z0-9._-]+|\\[[0-9a-f:.]+\\])(?::\\d{1,5})?");

  /** Copies the names. */
  public CorsOrigins {
    named = Set.copyOf(named);
  }

  /** Whether pages of this origin may read answers. */
  public boolean allow(String origin) {
    return any || named.contains(origin.toLowerCase(Locale.ROOT));
  }

  /**
   * Reads {@code *}, {@code none}, or a comma list of origins.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  static CorsOrigins parse(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "*" -> new CorsOrigins(true, Set.of());
      case "none" -> new CorsOrigins(false, Set.of());
      default ->
          new CorsOrigins(
              false,
              Arrays.stream(text.split(",", -1))
                  .map(entry -> entry.strip().toLowerCase(Locale.ROOT))
                  .filter(entry -> !entry.isEmpty())
                  .map(CorsOrigins::origin)
                  .collect(Collectors.toSet()));
    };
  }

  private static String origin(String entry) {
    if (!ORIGIN.matcher(entry).matches()) {
      throw new IllegalArgumentException("not an origin");
    }
    return entry;
  }
}
