package dev.queenmq.server.http.routing;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The parts of a path that a route's template leaves open, percent-decoded. */
public final class PathParameters {
  private final List<String> names;
  private final List<String> values;

  PathParameters(List<String> names, List<String> values) {
    this.names = names;
    this.values = values;
  }

  /** All of them, in the order of the path. */
  Map<String, String> named() {
    Map<String, String> named = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      named.put(names.get(i), values.get(i));
    }
    return named;
  }

  /** The value of a parameter, by its name in the template. */
  public String get(String name) {
    int position = names.indexOf(name);
    if (position < 0) {
      throw new IllegalArgumentException("the template has no parameter " + name);
    }
    return values.get(position);
  }
}
