package dev.queenmq.bench.store;

import java.util.List;

/**
 * One way to do the work that is compared. Called from one thread.
 *
 * @param <I> a piece of the work
 */
interface Contender<I> {

  String name();

  /** Gets ready for this work, off the clock. */
  default void prepare(List<I> work) {}

  /** Does one piece, on the clock; back when it is committed. */
  void run(I piece);
}
