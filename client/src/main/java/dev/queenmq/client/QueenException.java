package dev.queenmq.client;

import org.jspecify.annotations.Nullable;

/**
 * Anything that goes wrong with a call. The subclasses differ in what you should do:
 *
 * <ul>
 *   <li>{@link UnavailableException}: no broker could answer. Try again later.
 *   <li>{@link RejectedException}: the broker understood and refused. Change the request.
 *   <li>{@link UnauthorizedException}: the token is missing, expired or not good for this. Fix the
 *       token or the role.
 *   <li>{@link LeaseLostException}: you no longer hold the messages. Drop your work on them; they
 *       are delivered again.
 *   <li>{@link PayloadException}: a payload cannot be written as JSON or read as your type. Fix the
 *       type or the mapper.
 *   <li>{@link BufferFullException}: you push faster than the broker takes. Slow down.
 * </ul>
 *
 * <p>Synchronous calls throw them; futures complete exceptionally with them.
 */
public abstract sealed class QueenException extends RuntimeException
    permits UnavailableException,
        RejectedException,
        UnauthorizedException,
        LeaseLostException,
        PayloadException,
        BufferFullException {

  QueenException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
