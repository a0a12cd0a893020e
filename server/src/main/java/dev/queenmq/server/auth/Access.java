package dev.queenmq.server.auth;

import java.util.Set;

/** What a caller must be allowed to do to use a route. */
public enum Access {
  /** Nothing: no token is needed. */
  OPEN(false),
  /** Read. */
  READ(false),
  /** Push. */
  PRODUCE(false),
  /** Pop, acknowledge and extend leases. */
  CONSUME(false),
  /** Push or consume: the handler checks which of them the body needs. */
  EXCHANGE(false),
  /** Do what belongs to processing messages, such as traces. */
  PROCESS(false),
  /** Change queues, groups and messages by hand. Written to the audit log. */
  MANAGE(true),
  /** Do what cannot be undone, or concerns the whole broker. Written to the audit log. */
  ADMIN(true);

  private final boolean audited;

  Access(boolean audited) {
    this.audited = audited;
  }

  /** Whether a caller with these permissions may use the route. */
  boolean isGrantedBy(Set<Permission> permissions) {
    return switch (this) {
      case OPEN -> true;
      case READ -> permissions.contains(Permission.READ);
      case PRODUCE -> permissions.contains(Permission.PRODUCE);
      case CONSUME -> permissions.contains(Permission.CONSUME);
      case EXCHANGE ->
          permissions.contains(Permission.PRODUCE) || permissions.contains(Permission.CONSUME);
      case PROCESS, MANAGE -> permissions.contains(Permission.WRITE);
      case ADMIN -> permissions.contains(Permission.ADMIN);
    };
  }

  /** Whether a change made through such a route is an administrative action. */
  public boolean isAudited() {
    return audited;
  }
}
