package dev.queenmq.client.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.queenmq.client.admin.messages.MessageDetails;
import dev.queenmq.client.admin.messages.MessageFilter;
import dev.queenmq.client.admin.messages.MessageStatus;
import dev.queenmq.client.admin.messages.RetriedMessage;
import dev.queenmq.client.admin.messages.SettledMessage;
import dev.queenmq.client.admin.messages.Settlement;
import dev.queenmq.client.admin.messages.StoredMessage;
import dev.queenmq.client.admin.query.Page;
import dev.queenmq.client.admin.query.Paging;
import dev.queenmq.client.internal.Request;
import dev.queenmq.client.internal.Transport;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Stored messages, one by one. */
public final class MessageAdmin {
  /** As many messages are in a page if no limit is given. */
  private static final int USUAL_PAGE = 200;

  private static final int NEWEST_PAGE = 50;
  private static final int NEWEST_MOST = 1_000;

  private final AdminCalls calls;

  MessageAdmin(AdminCalls calls) {
    this.calls = calls;
  }

  /**
   * Messages without their payloads, the newest first.
   *
   * @param filter which ones
   * @param paging which part of the list
   * @return a page of them
   */
  public Page<StoredMessage> list(MessageFilter filter, Paging paging) {
    return Transport.join(listAsync(filter, paging));
  }

  /**
   * {@link #list(MessageFilter, Paging)} without waiting.
   *
   * @param filter which ones
   * @param paging which part of the list
   * @return a page of them
   */
  public CompletableFuture<Page<StoredMessage>> listAsync(MessageFilter filter, Paging paging) {
    Paging asked = AdminCalls.atLeast(paging, USUAL_PAGE);
    MessageStatus status = filter.status();
    return calls.page(
        Request.get("/api/v1/messages")
            .withQuery("queue", filter.queue())
            .withQuery("partition", filter.partition())
            .withQuery("ns", filter.namespace())
            .withQuery("task", filter.task())
            .withQuery("status", status == null ? null : status.word())
            .withQuery("from", filter.from())
            .withQuery("to", filter.to()),
        asked,
        "messages",
        StoredMessage.class);
  }

  /**
   * The newest messages of a queue, with what became of them for consumers without a group. Only
   * the newest 1,000 can be seen.
   *
   * @param queue its name
   * @param paging which part of the list
   * @return a page of them; empty for an unknown queue
   */
  public Page<StoredMessage> newest(String queue, Paging paging) {
    return Transport.join(newestAsync(queue, paging));
  }

  /**
   * {@link #newest(String, Paging)} without waiting.
   *
   * @param queue its name
   * @param paging which part of the list
   * @return a page of them; empty for an unknown queue
   */
  public CompletableFuture<Page<StoredMessage>> newestAsync(String queue, Paging paging) {
    Paging asked = AdminCalls.atLeast(paging, NEWEST_PAGE);
    return calls
        .send(calls.paged(Request.get("/api/v1/status/queues/{}/messages", queue), asked))
        .thenApply(
            response -> {
              List<StoredMessage> items = calls.list(response.json(), StoredMessage.class);
              Paging next = AdminCalls.behind(asked, items.size());
              long left = NEWEST_MOST - next.offset();
              boolean more = items.size() == asked.limit() && left > 0;
              return new Page<>(
                  items,
                  null,
                  more ? Paging.of((int) Math.min(asked.limit(), left), next.offset()) : null,
                  false);
            });
  }

  /**
   * A message with its payload. Of several with the transaction id it is the newest.
   *
   * @param partitionId of the message
   * @param transactionId of the message
   * @return the message; empty if there is none among the newest 100,000 of the partition
   */
  public Optional<MessageDetails> find(UUID partitionId, String transactionId) {
    return Transport.join(findAsync(partitionId, transactionId));
  }

  /**
   * {@link #find(UUID, String)} without waiting.
   *
   * @param partitionId of the message
   * @param transactionId of the message
   * @return the message; empty if there is none among the newest 100,000 of the partition
   */
  public CompletableFuture<Optional<MessageDetails>> findAsync(
      UUID partitionId, String transactionId) {
    return calls.find(
        Request.get("/api/v1/messages/{}/{}", partitionId.toString(), transactionId),
        MessageDetails.class);
  }

  /**
   * Deletes a message for all groups, and its dead letters.
   *
   * @param partitionId of the message
   * @param transactionId of the message
   * @return whether there was one
   */
  public boolean delete(UUID partitionId, String transactionId) {
    return Transport.join(deleteAsync(partitionId, transactionId));
  }

  /**
   * {@link #delete(UUID, String)} without waiting.
   *
   * @param partitionId of the message
   * @param transactionId of the message
   * @return whether there was one
   */
  public CompletableFuture<Boolean> deleteAsync(UUID partitionId, String transactionId) {
    return calls.ask(
        Request.delete("/api/v1/messages/{}/{}", partitionId.toString(), transactionId),
        answer -> answer.path("success").asBoolean());
  }

  /**
   * Makes a message a dead letter of a group.
   *
   * @param partitionId of the message
   * @param transactionId of the message
   * @param group null for consumers without a group
   * @param error kept with the dead letter
   * @return false if there is no such message, or the group has done it
   */
  public boolean deadLetter(
      UUID partitionId, String transactionId, @Nullable String group, @Nullable String error) {
    return Transport.join(deadLetterAsync(partitionId, transactionId, group, error));
  }

  /**
   * {@link #deadLetter(UUID, String, String, String)} without waiting.
   *
   * @param partitionId of the message
   * @param transactionId of the message
   * @param group null for consumers without a group
   * @param error kept with the dead letter
   * @return false if there is no such message, or the group has done it
   */
  public CompletableFuture<Boolean> deadLetterAsync(
      UUID partitionId, String transactionId, @Nullable String group, @Nullable String error) {
    ObjectNode body = calls.object();
    if (group != null) {
      body.put("consumerGroup", group);
    }
    if (error != null) {
      body.put("error", error);
    }
    return AdminCalls.orElse(
        calls.ask(
            Request.post("/api/v1/messages/{}/{}/dlq", partitionId.toString(), transactionId)
                .withBody(body),
            answer -> true),
        false);
  }

  /**
   * Gives the dead letters of a message back.
   *
   * @param partitionId of the message
   * @param transactionId of the message
   * @param group only the dead letter of this group; null for those of all
   * @return what is delivered now; empty if there is no dead letter
   */
  public Optional<RetriedMessage> retry(
      UUID partitionId, String transactionId, @Nullable String group) {
    return Transport.join(retryAsync(partitionId, transactionId, group));
  }

  /**
   * {@link #retry(UUID, String, String)} without waiting.
   *
   * @param partitionId of the message
   * @param transactionId of the message
   * @param group only the dead letter of this group; null for those of all
   * @return what is delivered now; empty if there is no dead letter
   */
  public CompletableFuture<Optional<RetriedMessage>> retryAsync(
      UUID partitionId, String transactionId, @Nullable String group) {
    ObjectNode body = calls.object();
    if (group != null) {
      body.put("consumerGroup", group);
    }
    return calls.find(
        Request.post("/api/v1/messages/{}/{}/retry", partitionId.toString(), transactionId)
            .withBody(body),
        RetriedMessage.class);
  }

  /**
   * Acks a message that another process popped, for scripts and for people. Consumers ack through
   * the messages that they popped.
   *
   * @param partitionId of the message
   * @param transactionId of the message
   * @param leaseId under which it was popped; if given it must be live
   * @param group null for that of the lease, or consumers without a group
   * @param settlement what became of the message
   * @param error kept with a dead letter
   * @return what became of it; look at {@link SettledMessage#success} first
   */
  public SettledMessage settle(
      UUID partitionId,
      String transactionId,
      @Nullable UUID leaseId,
      @Nullable String group,
      Settlement settlement,
      @Nullable String error) {
    return Transport.join(
        settleAsync(partitionId, transactionId, leaseId, group, settlement, error));
  }

  /**
   * {@link #settle(UUID, String, UUID, String, Settlement, String)} without waiting.
   *
   * @param partitionId of the message
   * @param transactionId of the message
   * @param leaseId under which it was popped; if given it must be live
   * @param group null for that of the lease, or consumers without a group
   * @param settlement what became of the message
   * @param error kept with a dead letter
   * @return what became of it; look at {@link SettledMessage#success} first
   */
  public CompletableFuture<SettledMessage> settleAsync(
      UUID partitionId,
      String transactionId,
      @Nullable UUID leaseId,
      @Nullable String group,
      Settlement settlement,
      @Nullable String error) {
    ObjectNode body =
        calls
            .object()
            .put("partitionId", partitionId.toString())
            .put("transactionId", transactionId)
            .put("leaseId", leaseId == null ? null : leaseId.toString())
            .put("consumerGroup", group)
            .put("status", settlement.word())
            .put("error", error);
    return calls
        .send(Request.post("/api/v1/ack").withBody(body))
        .thenApply(response -> calls.list(response.json(), SettledMessage.class).get(0));
  }
}
