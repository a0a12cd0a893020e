package dev.queenmq.server.auth;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** Somebody who asks for something. Safe for use by several threads. */
public final class Caller {
  private static final Caller ANYBODY =
      new Caller(Optional.empty(), EnumSet.allOf(Permission.class), new QueueLimit.All());

  private final Optional<String> subject;
  private final Set<Permission> permissions;
  private final QueueLimit queues;

  Caller(Optional<String> subject, Set<Permission> permissions, QueueLimit queues) {
    this.subject = subject;
    this.permissions = permissions.isEmpty() ? Set.of() : EnumSet.copyOf(permissions);
    this.queues = queues;
  }

  /** Who comes without a token where none is needed, and may do everything there. */
  public static Caller anybody() {
    return ANYBODY;
  }

  /** The {@code sub} of the token. */
  public Optional<String> subject() {
    return subject;
  }

  /** Whether the role is enough. */
  public boolean may(Access access) {
    return access.isGrantedBy(permissions);
  }

  /** The queues that the token is good for. */
  public QueueLimit queues() {
    return queues;
  }

  /** Whether there are queues that the token is not good for. */
  public boolean isLimited() {
    return queues instanceof QueueLimit.Only;
  }
}
