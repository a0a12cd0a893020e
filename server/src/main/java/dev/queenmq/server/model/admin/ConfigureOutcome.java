package dev.queenmq.server.model.admin;

import dev.queenmq.server.model.Problem;

/** What became of a configuration. */
public sealed interface ConfigureOutcome {

  /** The settings that are in force now. */
  record Configured(QueueSettings settings) implements ConfigureOutcome {}

  /** It cannot be carried out; nothing changed. */
  record Rejected(Problem problem) implements ConfigureOutcome {}
}
