package dev.queenmq.server.http.routing;

import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.KnownNames;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The query of a request; of a parameter given twice the first counts. */
public final class QueryParameters {
  private final Map<String, String> values = new LinkedHashMap<>();

  private QueryParameters() {}

  public static QueryParameters parse(@Nullable String query) {
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

  /**
   * The same, for a route that knows these names.
   *
   * @throws HttpProblem if another one looks like one of them
   */
  public static QueryParameters parse(@Nullable String query, KnownNames known) {
    QueryParameters parameters = parse(query);
    parameters.values.keySet().forEach(known::check);
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

  public Map<String, String> all() {
    return Collections.unmodifiableMap(values);
  }

  /** Empty if it is absent. */
  public String text(String name) {
    return values.getOrDefault(name, "");
  }

  public boolean flag(String name) {
    return flag(name, false);
  }

  /** True, false, 1 or 0, in any case; without a value it is as good as absent. */
  public boolean flag(String name, boolean defaultValue) {
    return switch (text(name).toLowerCase(Locale.ROOT)) {
      case "" -> defaultValue;
      case "true", "1" -> true;
      case "false", "0" -> false;
      default -> throw HttpProblem.badRequest(name + " must be true, false, 1 or 0");
    };
  }

  /** A whole number in decimal digits; without a value it is as good as absent. */
  public int number(String name, int least, int most, int defaultValue) {
    String text = text(name);
    if (text.isEmpty()) {
      return defaultValue;
    }
    int start = text.startsWith("-") ? 1 : 0;
    boolean digits = text.length() > start;
    long value = 0;
    for (int i = start; i < text.length(); i++) {
      char c = text.charAt(i);
      digits = digits && c >= '0' && c <= '9';
      value = Math.min(1L << 32, value * 10 + (c - '0'));
    }
    value = start == 0 ? value : -value;
    if (!digits || value < least || value > most) {
      throw HttpProblem.badRequest(
          name + " must be a whole number between " + least + " and " + most);
    }
    return (int) value;
  }
}
