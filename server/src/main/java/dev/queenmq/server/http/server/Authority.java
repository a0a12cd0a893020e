package dev.queenmq.server.http.server;

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
  private static final int MOST_DIGITS = 5;

  /** Whether a text is one. Every request asks: a usual one needs no regular expression. */
  static boolean isOne(String text) {
    return isUsual(text) || parse(text).isPresent();
  }

  /** Whether it is a name in lower case or an IPv4 address, without a port or with one. */
  private static boolean isUsual(String text) {
    int colon = text.indexOf(':');
    int end = colon < 0 ? text.length() : colon;
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      if (!isDigit(c) && !(c >= 'a' && c <= 'z') && c != '.' && c != '-') {
        return false;
      }
    }
    for (int i = end + 1; i < text.length(); i++) {
      if (!isDigit(text.charAt(i))) {
        return false;
      }
    }
    return end > 0 && (colon < 0 || isPort(text, end + 1));
  }

  private static boolean isPort(String digits, int from) {
    int length = digits.length() - from;
    return length > 0
        && length <= MOST_DIGITS
        && Integer.parseInt(digits, from, digits.length(), 10) <= HIGHEST_PORT;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

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
