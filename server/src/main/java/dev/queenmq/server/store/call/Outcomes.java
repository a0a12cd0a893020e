package dev.queenmq.server.store.call;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Answers gathered by position. */
public final class Outcomes {
  private Outcomes() {}

  /** The list, once every position has its answer. */
  public static <T> List<T> complete(@Nullable T[] outcomes) {
    List<T> list = new ArrayList<>(outcomes.length);
    for (T outcome : outcomes) {
      list.add(Objects.requireNonNull(outcome, "unanswered"));
    }
    return list;
  }
}
