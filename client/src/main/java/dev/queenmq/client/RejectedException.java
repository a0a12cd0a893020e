package dev.queenmq.client;

/**
 * The broker refused the request: it is malformed, names something that does not exist, conflicts
 * with the state of the queue, or the queue is full.
 *
 * <p>What to do: read {@link #getMessage()} and change the request; the same request will be
 * refused again. The exception to this is {@code queue full}, which passes when consumers catch up.
 */
public final class RejectedException extends QueenException {
  private static final long serialVersionUID = 1L;

  /** The HTTP status. */
  private final int status;

  /**
   * Made by the client.
   *
   * @param status the HTTP status
   * @param message the text of the broker
   */
  public RejectedException(int status, String message) {
    super(message, null);
    this.status = status;
  }

  /**
   * The HTTP status of the answer: 400 for a malformed request, 404 for something that does not
   * exist, 409 for a conflict, 413 for a request that is too large. 200 and 201 mean that the
   * request as a whole was read, and that this part of it was refused.
   *
   * @return the HTTP status
   */
  public int status() {
    return status;
  }
}
