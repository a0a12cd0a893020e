package dev.queenmq.client.internal;

/**
 * Which broker a request went to, so that another request can go to the same one, and whether that
 * broker has begun to answer it.
 */
public final class ChosenBroker {
  private static final int NONE = -1;

  private volatile int server = NONE;
  private volatile boolean answering;

  boolean isKnown() {
    return server != NONE;
  }

  int server() {
    return server;
  }

  void is(int chosen) {
    server = chosen;
  }

  /** Whether the head of the answer to the first request is here. */
  public boolean isAnswering() {
    return answering;
  }

  void answers() {
    answering = true;
  }
}
