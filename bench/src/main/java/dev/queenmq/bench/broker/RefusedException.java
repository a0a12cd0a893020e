package dev.queenmq.bench.broker;

/** A broker answered, but not with what was asked for. */
public final class RefusedException extends RuntimeException {

  RefusedException(String message) {
    super(message);
  }
}
