package dev.queenmq.server.http.server;

import java.util.Optional;

/**
 * Looks at the bytes of request heads for what the HTTP decoder is lenient about, and what a proxy
 * in front of the broker may therefore read differently: headers that continue on the next line
 * (RFC 9112 section 5.2), a carriage return alone, a request line with other than two single
 * spaces, and bytes before it. Owned by one connection.
 */
final class HeadScanner {
  private static final int SPACES = 2;

  private enum State {
    /** Before the request line; empty lines are skipped. */
    BEFORE,
    REQUEST_LINE,
    LINE_START,
    HEADER
  }

  private State state = State.BEFORE;
  private boolean returned;
  private int spaces;
  private byte last;
  private Optional<String> fault = Optional.empty();

  /** Begins with the next head. */
  void reset() {
    state = State.BEFORE;
    returned = false;
    spaces = 0;
    last = 0;
    fault = Optional.empty();
  }

  /** What is wrong with the head so far. */
  Optional<String> fault() {
    return fault;
  }

  /** The next byte of the head. */
  void next(byte b) {
    if (returned && b != '\n') {
      fail("a carriage return stands alone");
    }
    returned = b == '\r';
    switch (state) {
      case BEFORE -> before(b);
      case REQUEST_LINE -> requestLine(b);
      case LINE_START -> lineStart(b);
      case HEADER -> state = b == '\n' ? State.LINE_START : State.HEADER;
    }
    last = b;
  }

  private void before(byte b) {
    if (b == '\r' || b == '\n') {
      return;
    }
    if (b >= 0 && b <= ' ') {
      fail("the request line begins with a space or a control character");
    }
    state = State.REQUEST_LINE;
  }

  private void requestLine(byte b) {
    if (b == '\n') {
      if (spaces != SPACES) {
        fail("the request line has other than two spaces");
      }
      state = State.LINE_START;
    } else if (b == ' ') {
      spaces++;
      if (last == ' ') {
        fail("the request line has two spaces in a row");
      }
    } else if (b >= 0 && b < ' ' && b != '\r') {
      fail("the request line has a control character");
    }
  }

  private void lineStart(byte b) {
    if (b == ' ' || b == '\t') {
      fail("a header continues on the next line");
    }
    state = b == '\n' ? State.LINE_START : State.HEADER;
  }

  private void fail(String why) {
    if (fault.isEmpty()) {
      fault = Optional.of(why);
    }
  }
}
