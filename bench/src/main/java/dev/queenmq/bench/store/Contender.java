package dev.queenmq.bench.store;

import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.List;

/**
 * One way to do the work that is compared.
 *
 * @param <I> a piece of the work
 */
interface Contender<I> {

  String name();

  /** The event loop that its connection lives on. */
  Context context();

  /** Gets ready for this work, off the clock; called on a thread that may wait. */
  default void prepare(List<I> work) {}

  /** Does one piece, on the clock; done when it is committed. Called on the event loop. */
  Future<Void> run(I piece);
}
