package dev.queenmq.server.http;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The query of a request; of a parameter given twice the first counts. */
final class QueryParameters {
  private final Map<String, String> values = new LinkedHashMap<>();

  private QueryParameters() {}

  static QueryParameters parse(@Nullable String query) {
    QueryParameters parameters = new QueryParameters();
    int start = 0;
    while (query != null && start < query.length()) {
      int end = query.indexOf('&', start);
      end = end < 0 ? query.length() : end;
      parameters.add(query.substring(start, end));
      start = end + 1;
    }
    return parameters;
  }

  private void add(String pair) {
    int equals = pair.indexOf('=');
    String name = decode(equals < 0 ? pair : pair.substring(0, equals));
    values.putIfAbsent(name, equals < 0 ? "" : decode(pair.substring(equals + 1)));
  }

  private static String decode(String text) {
    String decoded = Percent.decodeQuery(text);
    if (decoded == null) {
      throw HttpProblem.badRequest("The query is not percent-encoded UTF-8");
    }
    return decoded;
  }

  Map<String, String> all() {
    return Collections.unmodifiableMap(values);
  }

  /** Empty if it is absent. */
  String text(String name) {
    return values.getOrDefault(name, "");
  }

  boolean flag(String name) {
    return flag(name, false);
  }

  boolean flag(String name, boolean defaultValue) {
    String text = text(name);
    return text.isEmpty() ? defaultValue : text.equals("true") || text.equals("1");
  }

  /** The number that the text starts with, moved into the range; the default if there is none. */
  int number(String name, int least, int most, int defaultValue) {
    String text = text(name).trim();
    boolean negative = text.startsWith("-");
    int start = negative || text.startsWith("+") ? 1 : 0;
    int end = start;
    long value = 0;
    while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
      value = Math.min(Integer.MAX_VALUE, value * 10 + (text.charAt(end) - '0'));
      end++;
    }
    if (end == start) {
      return defaultValue;
    }
    return (int) Math.max(least, Math.min(most, negative ? -value : value));
  }
}
