package dev.queenmq.cli;

/** Ends a command with a message for a person. */
public final class CliException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  /** An exception with one of {@link ExitCode}. */
  public CliException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** What the process ends with. */
  public int exitCode() {
    return exitCode;
  }
}
