package dev.queenmq.server.model.admin;

import dev.queenmq.server.model.Problem;

/** What became of a configuration. */
public sealed interface ConfigureOutcome {

  /** In force. */
  record Configured(QueueSettings settings) implements ConfigureOutcome {}

  /** It cannot be carried out; nothing changed. */
  record Rejected(Problem problem) implements ConfigureOutcome {}
}
