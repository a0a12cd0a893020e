package dev.queenmq.server.auth;

import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** The caller of a request. Safe for use by several threads. */
public final class Caller {
  private static final Caller ANONYMOUS =
      new Caller(
          Optional.empty(),
          EnumSet.allOf(Permission.class),
          new QueueLimit.All(),
          LabelLimit.none(),
          Instant.MAX);

  private final Optional<String> subject;
  private final Set<Permission> permissions;
  private final QueueLimit queues;
  private final LabelLimit labels;
  private final Instant until;

  Caller(
      Optional<String> subject,
      Set<Permission> permissions,
      QueueLimit queues,
      LabelLimit labels,
      Instant until) {
    this.subject = subject;
    this.permissions = permissions.isEmpty() ? Set.of() : EnumSet.copyOf(permissions);
    this.queues = queues;
    this.labels = labels;
    this.until = until;
  }

  /** A caller without a token on a route that needs none, or on a broker without tokens. */
  public static Caller anonymous() {
    return ANONYMOUS;
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

  /** The labels that the token may give to its queues. */
  public LabelLimit labels() {
    return labels;
  }

  /** When the token ends, by the broker's clock; a request that waits must not wait longer. */
  public Instant until() {
    return until;
  }

  /** Whether there are queues that the token is not good for. */
  public boolean isLimited() {
    return queues instanceof QueueLimit.Only;
  }
}
