package dev.queenmq.client.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.queenmq.client.admin.groups.PauseState;
import dev.queenmq.client.admin.query.Page;
import dev.queenmq.client.admin.query.Paging;
import dev.queenmq.client.admin.queues.ConfiguredQueue;
import dev.queenmq.client.admin.queues.LabelSummary;
import dev.queenmq.client.admin.queues.Overview;
import dev.queenmq.client.admin.queues.PartitionSummary;
import dev.queenmq.client.admin.queues.QueueDetails;
import dev.queenmq.client.admin.queues.QueueOptions;
import dev.queenmq.client.admin.queues.QueueSummary;
import dev.queenmq.client.internal.Request;
import dev.queenmq.client.internal.Request.Retry;
import dev.queenmq.client.internal.Transport;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Queues, their partitions and labels. */
public final class QueueAdmin {
  private final AdminCalls calls;

  QueueAdmin(AdminCalls calls) {
    this.calls = calls;
  }

  /**
   * All queues, the newest first.
   *
   * @param paging which part of the list
   * @return a page of them
   */
  public Page<QueueSummary> list(Paging paging) {
    return Transport.join(listAsync(paging));
  }

  /**
   * {@link #list(Paging)} without waiting.
   *
   * @param paging which part of the list
   * @return a page of them
   */
  public CompletableFuture<Page<QueueSummary>> listAsync(Paging paging) {
    return calls.page(
        Request.get("/api/v1/resources/queues"), paging, "queues", QueueSummary.class);
  }

  /**
   * The first page of {@link #list(Paging)}: up to 10,000 queues.
   *
   * @return a page of them
   */
  public Page<QueueSummary> list() {
    return Transport.join(listAsync());
  }

  /**
   * {@link #list()} without waiting.
   *
   * @return a page of them
   */
  public CompletableFuture<Page<QueueSummary>> listAsync() {
    return listAsync(Paging.first());
  }

  /**
   * A queue with its options and a page of its partitions.
   *
   * @param queue its name
   * @param paging which of its partitions
   * @return the queue; empty if there is none of that name
   */
  public Optional<QueueDetails> find(String queue, Paging paging) {
    return Transport.join(findAsync(queue, paging));
  }

  /**
   * {@link #find(String, Paging)} without waiting.
   *
   * @param queue its name
   * @param paging which of its partitions
   * @return the queue; empty if there is none of that name
   */
  public CompletableFuture<Optional<QueueDetails>> findAsync(String queue, Paging paging) {
    return calls.find(
        calls.paged(Request.get("/api/v1/resources/queues/{}", queue), paging), QueueDetails.class);
  }

  /**
   * A queue with its options and its first 2,000 partitions.
   *
   * @param queue its name
   * @return the queue; empty if there is none of that name
   */
  public Optional<QueueDetails> find(String queue) {
    return Transport.join(findAsync(queue));
  }

  /**
   * {@link #find(String)} without waiting.
   *
   * @param queue its name
   * @return the queue; empty if there is none of that name
   */
  public CompletableFuture<Optional<QueueDetails>> findAsync(String queue) {
    return findAsync(queue, Paging.first());
  }

  /**
   * Sets all options of a queue: those that are null go back to their defaults. Makes the queue if
   * it is not there. Its labels stay as they are.
   *
   * @param queue its name
   * @param options what to set
   * @return the queue with all options as they are now in force
   */
  public ConfiguredQueue configure(String queue, QueueOptions options) {
    return Transport.join(configureAsync(queue, options));
  }

  /**
   * {@link #configure(String, QueueOptions)} without waiting.
   *
   * @param queue its name
   * @param options what to set
   * @return the queue with all options as they are now in force
   */
  public CompletableFuture<ConfiguredQueue> configureAsync(String queue, QueueOptions options) {
    return configureAsync(queue, null, null, options, false);
  }

  /**
   * Sets some options of a queue: those that are null stay as they are. Makes the queue if it is
   * not there.
   *
   * @param queue its name
   * @param options what to set
   * @return the queue with all options as they are now in force
   */
  public ConfiguredQueue change(String queue, QueueOptions options) {
    return Transport.join(changeAsync(queue, options));
  }

  /**
   * {@link #change(String, QueueOptions)} without waiting.
   *
   * @param queue its name
   * @param options what to set
   * @return the queue with all options as they are now in force
   */
  public CompletableFuture<ConfiguredQueue> changeAsync(String queue, QueueOptions options) {
    return configureAsync(queue, null, null, options, true);
  }

  /**
   * Sets the labels of a queue, by which consumers can pop from several queues. Makes the queue if
   * it is not there. Its options stay as they are.
   *
   * @param queue its name
   * @param namespace null leaves it as it is; an empty text takes it away
   * @param task null leaves it as it is; an empty text takes it away
   * @return the queue with all options as they are in force
   */
  public ConfiguredQueue label(String queue, @Nullable String namespace, @Nullable String task) {
    return Transport.join(labelAsync(queue, namespace, task));
  }

  /**
   * {@link #label(String, String, String)} without waiting.
   *
   * @param queue its name
   * @param namespace null leaves it as it is; an empty text takes it away
   * @param task null leaves it as it is; an empty text takes it away
   * @return the queue with all options as they are in force
   */
  public CompletableFuture<ConfiguredQueue> labelAsync(
      String queue, @Nullable String namespace, @Nullable String task) {
    return configureAsync(queue, namespace, task, QueueOptions.none(), true);
  }

  /**
   * Removes a queue, its messages, its dead letters, and how far groups are.
   *
   * @param queue its name
   * @return whether there was one
   */
  public boolean delete(String queue) {
    return Transport.join(deleteAsync(queue));
  }

  /**
   * {@link #delete(String)} without waiting.
   *
   * @param queue its name
   * @return whether there was one
   */
  public CompletableFuture<Boolean> deleteAsync(String queue) {
    return calls.ask(
        Request.delete("/api/v1/resources/queues/{}", queue),
        answer -> answer.path("existed").asBoolean());
  }

  /**
   * Removes all messages of a queue. Groups and dead letters stay.
   *
   * @param queue its name
   * @return how many were removed
   */
  public long clear(String queue) {
    return Transport.join(clearAsync(queue));
  }

  /**
   * {@link #clear(String)} without waiting.
   *
   * @param queue its name
   * @return how many were removed
   */
  public CompletableFuture<Long> clearAsync(String queue) {
    return calls.ask(
        Request.delete("/api/v1/queues/{}/clear", queue),
        answer -> answer.path("deletedMessages").asLong());
  }

  /**
   * Removes all messages of a partition. Groups and dead letters stay.
   *
   * @param queue its name
   * @param partition its name
   * @return how many were removed
   */
  public long clearPartition(String queue, String partition) {
    return Transport.join(clearPartitionAsync(queue, partition));
  }

  /**
   * {@link #clearPartition(String, String)} without waiting.
   *
   * @param queue its name
   * @param partition its name
   * @return how many were removed
   */
  public CompletableFuture<Long> clearPartitionAsync(String queue, String partition) {
    return calls.ask(
        Request.delete("/api/v1/queues/{}/clear", queue).withQuery("partition", partition),
        answer -> answer.path("deletedMessages").asLong());
  }

  /**
   * Pauses the pops of a queue for all groups. Pushes and acks go on. It counts for every broker
   * and survives restarts.
   *
   * @param queue its name
   * @return what is in force now
   */
  public PauseState pause(String queue) {
    return Transport.join(pauseAsync(queue));
  }

  /**
   * {@link #pause(String)} without waiting.
   *
   * @param queue its name
   * @return what is in force now
   */
  public CompletableFuture<PauseState> pauseAsync(String queue) {
    return calls.ask(
        Request.post("/api/v1/resources/queues/{}/pause", queue).withRetry(Retry.ALWAYS),
        PauseState.class);
  }

  /**
   * Ends {@link #pause}. Groups that are paused on their own stay so.
   *
   * @param queue its name
   * @return what is in force now
   */
  public PauseState resume(String queue) {
    return Transport.join(resumeAsync(queue));
  }

  /**
   * {@link #resume(String)} without waiting.
   *
   * @param queue its name
   * @return what is in force now
   */
  public CompletableFuture<PauseState> resumeAsync(String queue) {
    return calls.ask(
        Request.post("/api/v1/resources/queues/{}/resume", queue).withRetry(Retry.ALWAYS),
        PauseState.class);
  }

  /**
   * The partitions of a queue, by name.
   *
   * @param queue its name
   * @param paging which part of the list
   * @return a page of them
   */
  public Page<PartitionSummary> partitions(String queue, Paging paging) {
    return Transport.join(partitionsAsync(queue, paging));
  }

  /**
   * {@link #partitions(String, Paging)} without waiting.
   *
   * @param queue its name
   * @param paging which part of the list
   * @return a page of them
   */
  public CompletableFuture<Page<PartitionSummary>> partitionsAsync(String queue, Paging paging) {
    return calls.page(
        Request.get("/api/v1/resources/partitions").withQuery("queue", queue),
        paging,
        "partitions",
        PartitionSummary.class);
  }

  /**
   * The partitions of all queues, by queue and name.
   *
   * @param paging which part of the list
   * @return a page of them
   */
  public Page<PartitionSummary> allPartitions(Paging paging) {
    return Transport.join(allPartitionsAsync(paging));
  }

  /**
   * {@link #allPartitions(Paging)} without waiting.
   *
   * @param paging which part of the list
   * @return a page of them
   */
  public CompletableFuture<Page<PartitionSummary>> allPartitionsAsync(Paging paging) {
    return calls.page(
        Request.get("/api/v1/resources/partitions"), paging, "partitions", PartitionSummary.class);
  }

  /**
   * Removes a partition, its messages, its dead letters, and how far groups are in it.
   *
   * @param queue its name
   * @param partition its name
   * @return whether there was one
   */
  public boolean deletePartition(String queue, String partition) {
    return Transport.join(deletePartitionAsync(queue, partition));
  }

  /**
   * {@link #deletePartition(String, String)} without waiting.
   *
   * @param queue its name
   * @param partition its name
   * @return whether there was one
   */
  public CompletableFuture<Boolean> deletePartitionAsync(String queue, String partition) {
    return AdminCalls.orElse(
        calls.ask(
            Request.delete("/api/v1/queues/{}/partitions/{}", queue, partition), answer -> true),
        false);
  }

  /**
   * Sums by namespace.
   *
   * @param paging which part of the list
   * @return a page of them, by name
   */
  public Page<LabelSummary> namespaces(Paging paging) {
    return Transport.join(namespacesAsync(paging));
  }

  /**
   * {@link #namespaces(Paging)} without waiting.
   *
   * @param paging which part of the list
   * @return a page of them, by name
   */
  public CompletableFuture<Page<LabelSummary>> namespacesAsync(Paging paging) {
    return calls.page(
        Request.get("/api/v1/resources/namespaces"), paging, "namespaces", LabelSummary.class);
  }

  /**
   * Sums by task.
   *
   * @param paging which part of the list
   * @return a page of them, by name
   */
  public Page<LabelSummary> tasks(Paging paging) {
    return Transport.join(tasksAsync(paging));
  }

  /**
   * {@link #tasks(Paging)} without waiting.
   *
   * @param paging which part of the list
   * @return a page of them, by name
   */
  public CompletableFuture<Page<LabelSummary>> tasksAsync(Paging paging) {
    return calls.page(Request.get("/api/v1/resources/tasks"), paging, "tasks", LabelSummary.class);
  }

  /**
   * Sums over everything.
   *
   * @return the sums
   */
  public Overview overview() {
    return Transport.join(overviewAsync());
  }

  /**
   * {@link #overview()} without waiting.
   *
   * @return the sums
   */
  public CompletableFuture<Overview> overviewAsync() {
    return calls.ask(Request.get("/api/v1/resources/overview"), Overview.class);
  }

  private CompletableFuture<ConfiguredQueue> configureAsync(
      String queue,
      @Nullable String namespace,
      @Nullable String task,
      QueueOptions options,
      boolean merge) {
    ObjectNode body = calls.object().put("queue", queue).put("merge", merge);
    if (namespace != null) {
      body.put("namespace", namespace);
    }
    if (task != null) {
      body.put("task", task);
    }
    body.set("options", calls.tree(options));
    return calls.ask(
        Request.post("/api/v1/configure").withBody(body).withRetry(Retry.ALWAYS),
        ConfiguredQueue.class);
  }
}
