package dev.queenmq.client;

import org.jspecify.annotations.Nullable;

/**
 * No broker answered in time, or all of them answered that they cannot serve the request now. The
 * page of a load balancer or another program in front of the brokers counts as no answer.
 *
 * <p>What to do: try again later, or let the caller know. The client has tried for as long as its
 * {@link RetryPolicy} allows. If {@link #mayHaveHappened()} is false, the broker has done nothing.
 */
public final class UnavailableException extends QueenException {
  private static final long serialVersionUID = 1L;

  /** Whether an answer was lost. */
  private final boolean mayHaveHappened;

  /**
   * Made by the client.
   *
   * @param message why
   * @param mayHaveHappened whether a request was sent whose answer was lost
   * @param cause what failed last, if it was not an answer
   */
  public UnavailableException(String message, boolean mayHaveHappened, @Nullable Throwable cause) {
    super(message, cause);
    this.mayHaveHappened = mayHaveHappened;
  }

  /**
   * Whether the request may have been carried out although no answer came. Pushes carry transaction
   * ids, so that pushing the same {@link OutgoingMessage} again is safe in either case.
   *
   * @return true if a request was sent whose answer was lost
   */
  public boolean mayHaveHappened() {
    return mayHaveHappened;
  }
}
