package dev.queenmq.client;

/**
 * The broker wants a token, does not accept the one it got, or the token's role does not allow the
 * request.
 *
 * <p>What to do: with {@link #status()} 401, check what the token supplier returns: it was asked
 * twice. With 403, ask an administrator for a role or a permission on the queue.
 */
public final class UnauthorizedException extends QueenException {
  private static final long serialVersionUID = 1L;

  /** The HTTP status. */
  private final int status;

  /**
   * Made by the client.
   *
   * @param status the HTTP status
   * @param message the text of the broker
   */
  public UnauthorizedException(int status, String message) {
    super(message, null);
    this.status = status;
  }

  /**
   * Which of the two it is.
   *
   * @return 401 or 403
   */
  public int status() {
    return status;
  }
}
