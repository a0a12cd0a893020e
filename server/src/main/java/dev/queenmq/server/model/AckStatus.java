package dev.queenmq.server.model;

/** What a consumer says of a message. */
public enum AckStatus {
  /** Done. */
  COMPLETED,
  /** Not done: deliver it again, and give up on it past the retry limit. */
  FAILED,
  /** Give up on it now: to the dead letters. */
  DLQ,
  /** Deliver it again; not the message's fault. */
  RETRY
}
