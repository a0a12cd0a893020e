package dev.queenmq.server.auth;

import java.util.Set;

/** What a caller must be allowed to use a route. */
public enum Access {
  /** Nothing: no token is asked for. */
  OPEN(false),
  /** To look. */
  READ(false),
  /** To push. */
  PRODUCE(false),
  /** To pop, to acknowledge and to extend leases. */
  CONSUME(false),
  /** To push or to consume; which of them, the body says and the handler checks. */
  EXCHANGE(false),
  /** To do what belongs to processing messages beside consuming them. */
  PROCESS(false),
  /** To change queues, groups and messages by hand. Remembered in the audit log. */
  MANAGE(true),
  /** To do what cannot be undone, or concerns the whole broker. Remembered in the audit log. */
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
