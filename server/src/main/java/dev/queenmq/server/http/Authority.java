package dev.queenmq.server.http;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A host and perhaps a port, as {@code Host} and {@code Origin} write them.
 *
 * @param host in lower case, without brackets and the zone of an IPv6 address
 */
record Authority(String host, OptionalInt port) {
  private static final Pattern FORM =
      Pattern.compile(
          "(?:([A-Za-z0-9._~-]+)|\\[([0-9A-Fa-f:.]+)(?:%[A-Za-z0-9._~%-]+)?\\])(?::(\\d{1,5}))?");
  private static final int HIGHEST_PORT = 65_535;

  /** Reads it; empty if the text is something else. A dot at the end of the host is dropped. */
  static Optional<Authority> parse(String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    @Nullable String number = parts.group(3);
    OptionalInt port =
        number == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(number));
    if (port.orElse(0) > HIGHEST_PORT) {
      return Optional.empty();
    }
    String host = Optional.ofNullable(parts.group(1)).orElseGet(() -> parts.group(2));
    host = host.endsWith(".") && host.length() > 1 ? host.substring(0, host.length() - 1) : host;
    return Optional.of(new Authority(host.toLowerCase(Locale.ROOT), port));
  }

  /** Whether both are the same, where a missing port means this one. */
  boolean isSame(Authority other, int missingPort) {
    return host.equals(other.host) && port.orElse(missingPort) == other.port.orElse(missingPort);
  }
}
