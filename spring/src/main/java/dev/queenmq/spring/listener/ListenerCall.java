package dev.queenmq.spring.listener;

import dev.queenmq.client.Message;
import dev.queenmq.spring.ListenerFailure;
import dev.queenmq.spring.QueenErrorHandler;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The handler of a consumer: calls the method, and has the error handler decide when it throws.
 *
 * @param id of the listener
 * @param method what it calls
 * @param errors decides what becomes of messages that failed
 */
record ListenerCall(String id, ListenerMethod method, QueenErrorHandler errors) {

  /**
   * Handles messages of one partition. If the payload of one cannot be read, the error handler
   * decides about that message alone: first the method gets those before it, and the message comes
   * first next time.
   */
  void handle(List<Message<Object>> messages) throws Exception {
    ListenerMethod.Payloads payloads = method.read(messages);
    Throwable unreadable = payloads.failure();
    if (unreadable == null) {
      handle(messages, payloads.values());
      return;
    }
    int first = payloads.values().size();
    if (first > 0) {
      messages.get(first).retry();
      handle(messages.subList(0, first), payloads.values());
      return;
    }
    decide(messages.subList(0, 1), unreadable);
    if (messages.size() > 1) {
      // Otherwise it and all behind it would be acked.
      messages.get(1).retry();
    }
  }

  private void handle(List<Message<Object>> messages, List<Object> payloads) throws Exception {
    try {
      method.call(messages, payloads);
    } catch (Exception | Error e) {
      decide(messages, e);
    }
  }

  CompletionStage<?> handleAsync(Message<Object> message) {
    List<Message<Object>> messages = List.of(message);
    CompletionStage<?> stage;
    try {
      stage = (CompletionStage<?>) method.call(message);
    } catch (Exception | Error e) {
      return decideLater(messages, e);
    }
    if (stage == null) {
      return done();
    }
    return stage
        .handle((result, failure) -> failure == null ? done() : decideLater(messages, failure))
        .thenCompose(Function.identity());
  }

  private static CompletionStage<@Nullable Void> done() {
    return CompletableFuture.completedFuture(null);
  }

  private CompletionStage<@Nullable Void> decideLater(
      List<Message<Object>> messages, Throwable failure) {
    Throwable error =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    try {
      decide(messages, error);
      return done();
    } catch (Exception | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Returns if the messages are settled now, or done; throws if they failed. */
  private void decide(List<Message<Object>> messages, Throwable error) throws Exception {
    if (error instanceof InterruptedException || Thread.currentThread().isInterrupted()) {
      // The application stops: that is no fault of the message, and the client gives it back.
      throw rethrown(error);
    }
    QueenErrorHandler.Decision decision;
    try {
      decision = errors.onError(new ListenerFailure(id, messages, error));
    } catch (RuntimeException e) {
      e.addSuppressed(error);
      throw e;
    }
    switch (decision) {
      case FAIL -> throw rethrown(error);
      case RETRY -> settle(messages, Message::retry);
      case DEAD_LETTER -> settle(messages, message -> message.deadLetter(error.toString()));
      case DISCARD -> settle(messages, Message::ack);
    }
  }

  private static void settle(List<Message<Object>> messages, Consumer<Message<Object>> status) {
    for (Message<Object> message : messages) {
      try {
        status.accept(message);
      } catch (IllegalStateException alreadySettled) {
        // The listener has decided about this one before it failed.
      }
    }
  }

  private static Exception rethrown(Throwable error) {
    if (error instanceof Error serious) {
      throw serious;
    }
    return error instanceof Exception exception ? exception : new CompletionException(error);
  }
}
