package dev.queenmq.cli;

/** What a script learns from a command that has ended. */
public final class ExitCode {
  /** Done. */
  public static final int DONE = 0;

  /** The broker refused, or what was named is not there. */
  public static final int REFUSED = 1;

  /** The arguments are wrong. */
  public static final int USAGE = 2;

  /** No broker answers. */
  public static final int UNAVAILABLE = 3;

  /** The token is missing, expired or not good for this. */
  public static final int UNAUTHORIZED = 4;

  /** There was no message. */
  public static final int EMPTY = 5;

  /** The reader of a pipe has gone; what shells call a program that ends by it, 128 + SIGPIPE. */
  public static final int PIPE_CLOSED = 141;

  private ExitCode() {}
}
