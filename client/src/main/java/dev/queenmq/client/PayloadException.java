package dev.queenmq.client;

import org.jspecify.annotations.Nullable;

/**
 * A payload cannot be written as JSON, or what was received is not of the type you asked for.
 *
 * <p>What to do: fix the class or the {@code ObjectMapper}. For a message that was received, {@link
 * Message#rawPayload()} still has its bytes.
 */
public final class PayloadException extends QueenException {
  private static final long serialVersionUID = 1L;

  /**
   * Made by the client.
   *
   * @param message what was tried
   * @param cause what Jackson says
   */
  public PayloadException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
