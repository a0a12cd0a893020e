package dev.queenmq.server.auth;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The queues that a token is good for. */
public sealed interface QueueLimit {

  /** Whether this queue is among them. */
  boolean allows(String queue);

  /** No limit. */
  record All() implements QueueLimit {
    @Override
    public boolean allows(String queue) {
      return true;
    }
  }

  /** Queues by their names, and by how their names begin. */
  record Only(Set<String> names, List<String> prefixes) implements QueueLimit {
    /** Copies what it is given. */
    public Only {
      names = Set.copyOf(names);
      prefixes = List.copyOf(prefixes);
    }

    @Override
    public boolean allows(String queue) {
      return names.contains(queue) || prefixes.stream().anyMatch(queue::startsWith);
    }
  }

  /** Of what a claim lists: names, and beginnings of names with an asterisk behind them. */
  static QueueLimit of(List<String> patterns) {
    Set<String> names = new HashSet<>();
    List<String> prefixes = new ArrayList<>();
    for (String pattern : patterns) {
      if (pattern.equals("*")) {
        return new All();
      } else if (pattern.endsWith("*")) {
        prefixes.add(pattern.substring(0, pattern.length() - 1));
      } else {
        names.add(pattern);
      }
    }
    return new Only(names, prefixes);
  }
}
