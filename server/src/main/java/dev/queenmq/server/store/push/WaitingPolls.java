package dev.queenmq.server.store.push;

import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import java.util.Optional;
import java.util.UUID;

/** The polls that wait for what is pushed. Called on the store's event loop. */
@FunctionalInterface
public interface WaitingPolls {
  /** No poll waits. */
  WaitingPolls NONE = (queue, partitionId) -> Optional.empty();

  /**
   * A poll whose group has done everything in a partition, as far as is known, and which takes what
   * comes next. One of the methods of the answer is called in any case.
   */
  Optional<WaitingPoll> claim(String queue, UUID partitionId);

  /** A poll that a push is about to serve. */
  interface WaitingPoll {
    /** What it wants. */
    PopRequest request();

    /** Its group has a lease on these messages, and they are committed. */
    void served(PopOutcome.Served messages);

    /** Nothing was leased. */
    void unserved();

    /**
     * PostgreSQL did not answer, so that its group may have a lease without knowing of it.
     *
     * @param messages that it would be on
     */
    void unknown(PopOutcome.Served messages);
  }
}
