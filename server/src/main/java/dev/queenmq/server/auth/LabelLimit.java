package dev.queenmq.server.auth;

/**
 * The labels that a token may give to its queues. Consumers pop by label, so that a label reaches
 * beyond the queues that a token is limited to.
 *
 * @param namespaces that it may give; {@link QueueLimit} is about names of any kind
 * @param tasks that it may give
 * @param priorities whether it may change priorities, in the namespaces and tasks that it may give
 */
public record LabelLimit(QueueLimit namespaces, QueueLimit tasks, boolean priorities) {

  /** No limit: the token may use all queues. */
  static LabelLimit none() {
    return new LabelLimit(new QueueLimit.All(), new QueueLimit.All(), true);
  }
}
