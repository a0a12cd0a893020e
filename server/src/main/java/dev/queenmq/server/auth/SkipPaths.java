package dev.queenmq.server.auth;

import java.util.List;

/** Paths that need no token. Compared as they are sent: nothing is decoded or folded. */
public record SkipPaths(List<String> paths) {
  /** Copies the list. */
  public SkipPaths {
    paths = List.copyOf(paths);
  }

  /** Whether this is one of them. */
  public boolean contain(String path) {
    for (String each : paths) {
      boolean below = each.length() > 1 && each.endsWith("/");
      if (below ? path.startsWith(each) : path.equals(each)) {
        return true;
      }
    }
    return false;
  }
}
