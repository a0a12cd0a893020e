package dev.queenmq.server.http.routing;

import dev.queenmq.server.http.json.HttpProblem;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Matches paths, part by part; nothing is folded, so a slash more is another path. */
final class PathTemplate {
  private final List<String> parts;
  private final List<String> names = new ArrayList<>();

  PathTemplate(String template) {
    parts = split(template);
    for (String part : parts) {
      if (part.startsWith(":")) {
        names.add(part.substring(1));
      }
    }
  }

  int length() {
    return parts.size();
  }

  /** The parts of a path between its slashes. */
  static List<String> split(String path) {
    List<String> parts = new ArrayList<>(8);
    int start = 1;
    int slash = path.indexOf('/', start);
    while (slash >= 0) {
      parts.add(path.substring(start, slash));
      start = slash + 1;
      slash = path.indexOf('/', start);
    }
    parts.add(path.substring(Math.min(start, path.length())));
    return parts;
  }

  boolean matches(List<String> path) {
    if (path.size() != parts.size()) {
      return false;
    }
    for (int i = 0; i < parts.size(); i++) {
      String part = parts.get(i);
      if (part.startsWith(":") ? path.get(i).isEmpty() : !part.equals(path.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** The parameters of a path that matches. */
  PathParameters parameters(List<String> path) {
    List<String> values = new ArrayList<>(names.size());
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i).startsWith(":")) {
        values.add(decode(path.get(i)));
      }
    }
    return new PathParameters(names, values);
  }

  private static String decode(String part) {
    @Nullable String decoded = Percent.decodePath(part);
    if (decoded == null) {
      throw HttpProblem.badRequest("The path is not percent-encoded UTF-8");
    }
    return decoded;
  }
}
