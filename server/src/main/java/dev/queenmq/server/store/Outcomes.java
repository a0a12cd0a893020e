package dev.queenmq.server.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Answers gathered by position. */
final class Outcomes {
  private Outcomes() {}

  /** The list, once every position has its answer. */
  static <T> List<T> complete(@Nullable T[] outcomes) {
    List<T> list = new ArrayList<>(outcomes.length);
    for (T outcome : outcomes) {
      list.add(Objects.requireNonNull(outcome, "unanswered"));
    }
    return list;
  }
}
