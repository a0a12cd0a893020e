package dev.queenmq.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.queenmq.client.internal.JsonText;
import dev.queenmq.client.internal.Request;
import dev.queenmq.client.internal.Transport;
import dev.queenmq.client.internal.consumer.Disposition;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Pushes and acks that all happen, or none of them. Collect them, then {@link #commit}: nothing is
 * sent before. With an ack of what you received and a push of what follows from it, each message is
 * handed over exactly once.
 *
 * <p>The client may repeat a commit whose answer was lost: the broker knows it by a key. Not safe
 * for several threads; a transaction is committed once.
 */
public final class Transaction {
  private final Calls calls;
  private final List<byte[]> operations = new ArrayList<>();
  private final List<Calls.Acknowledgment> acks = new ArrayList<>();
  private final Set<String> leases = new LinkedHashSet<>();
  private final String key = UUID.randomUUID().toString();
  private @Nullable String affinity;
  private boolean committed;

  Transaction(Calls calls) {
    this.calls = calls;
  }

  /**
   * The message is done.
   *
   * @param message one that was received under a lease
   * @return this
   */
  public Transaction ack(Message<?> message) {
    return settle(message, Disposition.completed());
  }

  /**
   * The message becomes a dead letter.
   *
   * @param message one that was received under a lease
   * @param reason kept with it
   * @return this
   */
  public Transaction deadLetter(Message<?> message, String reason) {
    return settle(message, new Disposition(Disposition.Status.DEAD_LETTER, reason));
  }

  /**
   * A message is pushed. A duplicate makes the whole transaction fail, unlike a push of its own.
   *
   * @param to a queue or partition
   * @param payload as for {@link QueueRef#push}
   * @return this
   */
  public Transaction push(QueueRef to, @Nullable Object payload) {
    Calls.Item item = to.item(payload);
    if (affinity == null) {
      affinity = Request.affinityKey(item.queue(), item.partition(), null);
    }
    operations.add(
        new JsonText(item.bytes() + 40)
            .text("type", "push")
            .array("items", List.of(item), Calls.Item::json)
            .end());
    return this;
  }

  private Transaction settle(Message<?> message, Disposition disposition) {
    Calls.Acknowledgment ack = new Calls.Acknowledgment(message, disposition);
    acks.add(ack);
    leases.add(Calls.leaseOf(message));
    JsonText text = new JsonText().text("type", "ack").text("consumerGroup", message.group());
    new Calls.AckFields().write(ack, text);
    operations.add(text.end());
    return this;
  }

  /**
   * Does all of it, or nothing.
   *
   * @throws LeaseLostException if one of the messages is no longer yours; nothing happened
   * @throws RejectedException if the broker refused it, for example because of a duplicate push or
   *     a full queue; nothing happened
   * @throws UnavailableException if there was no answer; see {@link
   *     UnavailableException#mayHaveHappened()}
   */
  public void commit() {
    Transport.join(commitAsync());
  }

  /**
   * Does all of it, or nothing.
   *
   * @return completes when all of it is done
   * @see #commit()
   */
  public CompletableFuture<Void> commitAsync() {
    if (committed) {
      throw new IllegalStateException("the transaction was committed before");
    }
    committed = true;
    if (operations.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    Disposition settled = new Disposition(Disposition.Status.SETTLED, null);
    List<Message<?>> marked = new ArrayList<>();
    try {
      for (Calls.Acknowledgment ack : acks) {
        ack.message().markSettled(settled);
        marked.add(ack.message());
      }
    } catch (IllegalStateException e) {
      marked.forEach(message -> message.unsettle(settled));
      throw e;
    }
    byte[] body =
        new JsonText()
            .array("operations", operations, Function.identity())
            .array("requiredLeases", leases, JsonText::string)
            .end();
    Request request =
        Request.post("/api/v1/transaction")
            .withBody(body)
            .withHeader("Idempotency-Key", key)
            .withRetry(Request.Retry.ALWAYS);
    if (affinity != null) {
      request = request.withAffinity(affinity);
    }
    return calls
        .send(request)
        .handle(
            (response, failure) -> {
              boolean done = false;
              try {
                RuntimeException problem =
                    failure == null ? refused(response.json()) : Transport.unwrap(failure);
                if (problem != null) {
                  throw problem;
                }
                done = true;
              } finally {
                if (!done) {
                  // Also if the answer cannot be read: else the failure of the handler that gets
                  // the exception would not reach the broker.
                  marked.forEach(message -> message.unsettle(settled));
                }
              }
              marked.forEach(Message::settledByTransaction);
              return null;
            });
  }

  private static @Nullable RuntimeException refused(JsonNode answer) {
    if (answer.path("success").asBoolean()) {
      return null;
    }
    String error = answer.path("error").asText("the transaction was rolled back");
    return error.contains("Invalid or expired lease")
        ? new LeaseLostException(error)
        : new RejectedException(200, error);
  }
}
