package dev.queenmq.server.model.streams;

import dev.queenmq.server.model.Problem;
import java.util.UUID;

/** What became of the wish to register a query. */
public sealed interface StreamRegistration {

  /**
   * It is registered.
   *
   * @param fresh it was not before
   * @param reset it was, with another configuration, and its state is gone
   */
  record Registered(UUID id, boolean fresh, boolean reset) implements StreamRegistration {}

  /** It is registered with another configuration; nothing was changed. */
  record Mismatch(UUID id) implements StreamRegistration {}

  /** It cannot be registered. */
  record Rejected(Problem problem) implements StreamRegistration {}
}
