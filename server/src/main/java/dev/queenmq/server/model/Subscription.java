package dev.queenmq.server.model;

import java.time.Instant;

/** Where a group starts in partitions it has not read, said at its first contact with a queue. */
public sealed interface Subscription {

  /** At the oldest message. */
  record All() implements Subscription {}

  /** After the first contact. */
  record New() implements Subscription {}

  /** After a moment. */
  record After(Instant moment) implements Subscription {}
}
