package dev.queenmq.client;

/**
 * The push buffer holds as much as it may.
 *
 * <p>What to do: push slower, drop the message, or build the buffer with {@code blockWhenFull}.
 */
public final class BufferFullException extends QueenException {
  private static final long serialVersionUID = 1L;

  /**
   * Made by the client.
   *
   * @param message which limit was reached
   */
  public BufferFullException(String message) {
    super(message, null);
  }
}
