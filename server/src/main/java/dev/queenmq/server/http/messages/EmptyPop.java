package dev.queenmq.server.http.messages;

/** How a pop is answered that got nothing. */
public enum EmptyPop {
  /** 204 without a body. */
  NO_CONTENT,
  /** 200 with a body that says why, as older servers do. */
  OK_WITH_BODY
}
