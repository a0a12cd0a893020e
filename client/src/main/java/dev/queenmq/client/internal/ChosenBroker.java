package dev.queenmq.client.internal;

/** Which broker a request went to, so that another request can go to the same one. */
public final class ChosenBroker {
  private static final int NONE = -1;

  private volatile int server = NONE;

  boolean isKnown() {
    return server != NONE;
  }

  int server() {
    return server;
  }

  void is(int chosen) {
    server = chosen;
  }
}
