package dev.queenmq.server.auth;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** What a caller must be allowed to use a route. */
public enum Access {
  /** Nothing: no token is asked for. */
  OPEN(EnumSet.noneOf(Permission.class), false),
  /** To look. */
  READ(EnumSet.of(Permission.READ), false),
  /** To push. */
  PRODUCE(EnumSet.of(Permission.PRODUCE), false),
  /** To pop, to acknowledge and to extend leases. */
  CONSUME(EnumSet.of(Permission.CONSUME), false),
  /** To push or to consume; which of them, the body says and the handler checks. */
  EXCHANGE(EnumSet.of(Permission.PRODUCE, Permission.CONSUME), false),
  /** To do what belongs to processing messages beside consuming them. */
  PROCESS(EnumSet.of(Permission.WRITE), false),
  /** To change queues, groups and messages by hand. Remembered in the audit log. */
  MANAGE(EnumSet.of(Permission.WRITE), true),
  /** To do what cannot be undone, or concerns the whole broker. Remembered in the audit log. */
  ADMIN(EnumSet.of(Permission.ADMIN), true);

  private final Set<Permission> anyOf;
  private final boolean audited;

  Access(Set<Permission> anyOf, boolean audited) {
    this.anyOf = anyOf;
    this.audited = audited;
  }

  /** Whether somebody with these permissions gets it. */
  boolean isGrantedBy(Set<Permission> permissions) {
    return anyOf.isEmpty() || !Collections.disjoint(anyOf, permissions);
  }

  /** Whether what changes something by it is an administrative action. */
  public boolean isAudited() {
    return audited;
  }
}
