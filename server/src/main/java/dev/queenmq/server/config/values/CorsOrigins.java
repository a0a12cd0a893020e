package dev.queenmq.server.config.values;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The web pages that may use the broker, by where they come from. Pages of the broker's own origin
 * always may.
 *
 * @param kind which others may
 * @param named {@code https://host} or {@code https://host:port}, in lower case; empty unless the
 *     kind is {@link Kind#NAMED}
 */
public record CorsOrigins(Kind kind, Set<String> named) {

  private static final Pattern ORIGIN =
      Pattern.compile("[a-z][a-z0-9+.-]*://(?:[a-z0-9._-]+|\\[[0-9a-f:.]+\\])(?::\\d{1,5})?");

  /** Which pages of other origins may use the broker. */
  public enum Kind {
    /** All of them. */
    ANY,
    /** None; answers carry the CORS headers that existing clients expect. */
    OWN,
    /** None; answers carry no CORS headers. */
    NONE,
    /** Those on a list. */
    NAMED
  }

  /** Copies the names. */
  public CorsOrigins {
    named = Set.copyOf(named);
  }

  /** Whether pages of this origin, which is not the broker's own, may use the broker. */
  public boolean allow(String origin) {
    return kind == Kind.ANY || named.contains(origin.toLowerCase(Locale.ROOT));
  }

  /**
   * Reads {@code *}, {@code own}, {@code none}, or a comma list of origins.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  public static CorsOrigins parse(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "*" -> new CorsOrigins(Kind.ANY, Set.of());
      case "own" -> new CorsOrigins(Kind.OWN, Set.of());
      case "none" -> new CorsOrigins(Kind.NONE, Set.of());
      default -> list(text);
    };
  }

  private static CorsOrigins list(String text) {
    Set<String> named =
        Arrays.stream(text.split(",", -1))
            .map(entry -> entry.strip().toLowerCase(Locale.ROOT))
            .filter(entry -> !entry.isEmpty())
            .map(CorsOrigins::origin)
            .collect(Collectors.toSet());
    return new CorsOrigins(named.isEmpty() ? Kind.NONE : Kind.NAMED, named);
  }

  private static String origin(String entry) {
    if (!ORIGIN.matcher(entry).matches()) {
      throw new IllegalArgumentException("not an origin");
    }
    return entry;
  }
}
