package dev.queenmq.bench.cluster;

/** Which broker the requests of one consumer go to. A is the first, B the second. */
enum Route {
  STICKY("all at A"),
  ROUND_ROBIN("A, B, C in turn"),
  APART("pops at A, acks at B");

  private final String text;

  Route(String text) {
    this.text = text;
  }

  /** The route as a text to read. */
  String text() {
    return text;
  }

  /** Where a pop goes that is the request with this number, counted from 0. */
  int pop(long request, int brokers) {
    return this == ROUND_ROBIN ? (int) (request % brokers) : 0;
  }

  /** The same for an ack. */
  int ack(long request, int brokers) {
    return this == APART ? 1 : pop(request, brokers);
  }
}
