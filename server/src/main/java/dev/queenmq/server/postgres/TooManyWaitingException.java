package dev.queenmq.server.postgres;

import java.io.IOException;

/** As many statements wait for a connection as may. Nothing was sent. */
public final class TooManyWaitingException extends IOException {
  private static final long serialVersionUID = 1L;

  TooManyWaitingException(int waiting) {
    super(waiting + " statements wait for a connection already");
  }
}
