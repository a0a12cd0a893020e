package dev.queenmq.client;

/**
 * You no longer hold the message: its lease expired, an operator ended it, or the group was moved.
 *
 * <p>What to do: nothing more with this message; the broker delivers it again. Undo work that must
 * not happen twice. If it happens often, raise the queue's {@code leaseTime} or extend leases.
 */
public final class LeaseLostException extends QueenException {
  private static final long serialVersionUID = 1L;

  /**
   * Made by the client.
   *
   * @param message what was tried
   */
  public LeaseLostException(String message) {
    super(message, null);
  }
}
