package dev.queenmq.bench.httpaudit;

/** The connection was cut on purpose: nobody knows what became of the request. */
final class CutException extends RuntimeException {

  CutException() {
    super("cut", null, false, false);
  }
}
