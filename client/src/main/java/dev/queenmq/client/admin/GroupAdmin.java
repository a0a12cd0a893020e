package dev.queenmq.client.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.queenmq.client.admin.groups.GroupDeletion;
import dev.queenmq.client.admin.groups.GroupPartition;
import dev.queenmq.client.admin.groups.GroupSummary;
import dev.queenmq.client.admin.groups.LaggingPartition;
import dev.queenmq.client.admin.groups.PauseState;
import dev.queenmq.client.admin.groups.SeekResult;
import dev.queenmq.client.admin.groups.SeekTarget;
import dev.queenmq.client.admin.query.Page;
import dev.queenmq.client.admin.query.Paging;
import dev.queenmq.client.internal.Request;
import dev.queenmq.client.internal.Request.Retry;
import dev.queenmq.client.internal.Transport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Consumer groups: how far they are, and where they go on. Consumers that name no group are the
 * group {@link #QUEUE_MODE}.
 */
public final class GroupAdmin {
  /** The group of consumers that name none. */
  public static final String QUEUE_MODE = "__QUEUE_MODE__";

  /** As many partitions of a group are in a page if no limit is given. */
  private static final int PARTITIONS_PAGE = 5_000;

  private final AdminCalls calls;

  GroupAdmin(AdminCalls calls) {
    this.calls = calls;
  }

  /**
   * Every group on every queue, by group and queue.
   *
   * @param paging which part of the list
   * @return a page of them
   */
  public Page<GroupSummary> list(Paging paging) {
    return Transport.join(listAsync(paging));
  }

  /**
   * {@link #list(Paging)} without waiting.
   *
   * @param paging which part of the list
   * @return a page of them
   */
  public CompletableFuture<Page<GroupSummary>> listAsync(Paging paging) {
    return calls
        .send(calls.paged(Request.get("/api/v1/consumer-groups"), paging))
        .thenApply(
            response -> {
              List<GroupSummary> items = calls.list(response.json(), GroupSummary.class);
              boolean more =
                  response.header("x-queen-more").map(Boolean::parseBoolean).orElse(false);
              return new Page<>(
                  items, null, more ? AdminCalls.behind(paging, items.size()) : null, false);
            });
  }

  /**
   * The first page of {@link #list(Paging)}: up to 10,000 elements.
   *
   * @return a page of them
   */
  public Page<GroupSummary> list() {
    return Transport.join(listAsync());
  }

  /**
   * {@link #list()} without waiting.
   *
   * @return a page of them
   */
  public CompletableFuture<Page<GroupSummary>> listAsync() {
    return listAsync(Paging.first());
  }

  /**
   * How far a group is in each partition that it reads, by queue and partition.
   *
   * @param group its name
   * @param paging which part of the list
   * @return a page of them; empty if there is no such group
   */
  public Page<GroupPartition> partitions(String group, Paging paging) {
    return Transport.join(partitionsAsync(group, paging));
  }

  /**
   * {@link #partitions(String, Paging)} without waiting.
   *
   * @param group its name
   * @param paging which part of the list
   * @return a page of them; empty if there is no such group
   */
  public CompletableFuture<Page<GroupPartition>> partitionsAsync(String group, Paging paging) {
    Paging asked = AdminCalls.atLeast(paging, PARTITIONS_PAGE);
    return calls
        .send(calls.paged(Request.get("/api/v1/consumer-groups/{}", group), asked))
        .thenApply(
            response -> {
              List<GroupPartition> items = partitions(response.json());
              return new Page<>(
                  items,
                  null,
                  items.size() < asked.limit() ? null : AdminCalls.behind(asked, items.size()),
                  false);
            });
  }

  /**
   * Partitions in which the oldest message that a group has not done is older than this, the oldest
   * first.
   *
   * @param atLeast how old, in whole seconds
   * @param limit at most this many
   * @return at most {@code limit} partitions
   */
  public List<LaggingPartition> lagging(Duration atLeast, int limit) {
    return Transport.join(laggingAsync(atLeast, limit));
  }

  /**
   * {@link #lagging(Duration, int)} without waiting.
   *
   * @param atLeast how old, in whole seconds
   * @param limit at most this many
   * @return at most {@code limit} partitions
   */
  public CompletableFuture<List<LaggingPartition>> laggingAsync(Duration atLeast, int limit) {
    return calls
        .send(
            Request.get("/api/v1/consumer-groups/lagging")
                .withQuery("minLagSeconds", atLeast.toSeconds())
                .withQuery("limit", limit))
        .thenApply(response -> calls.list(response.json(), LaggingPartition.class));
  }

  /**
   * Moves a group in every partition that a queue has now. Its leases there end, and failures that
   * were counted are forgotten; dead letters stay.
   *
   * @param group its name
   * @param queue its name
   * @param target where to
   * @return in how many partitions it was moved
   */
  public SeekResult seek(String group, String queue, SeekTarget target) {
    return Transport.join(seekAsync(group, queue, target));
  }

  /**
   * {@link #seek(String, String, SeekTarget)} without waiting.
   *
   * @param group its name
   * @param queue its name
   * @param target where to
   * @return in how many partitions it was moved
   */
  public CompletableFuture<SeekResult> seekAsync(String group, String queue, SeekTarget target) {
    return calls.ask(
        Request.post("/api/v1/consumer-groups/{}/queues/{}/seek", group, queue)
            .withBody(body(target))
            .withRetry(Retry.ALWAYS),
        answer -> new SeekResult(answer.path("partitionsUpdated").asLong(), null));
  }

  /**
   * Moves a group in one partition.
   *
   * @param group its name
   * @param queue its name
   * @param partition its name
   * @param target where to
   * @return where it is now
   */
  public SeekResult seekPartition(String group, String queue, String partition, SeekTarget target) {
    return Transport.join(seekPartitionAsync(group, queue, partition, target));
  }

  /**
   * {@link #seekPartition(String, String, String, SeekTarget)} without waiting.
   *
   * @param group its name
   * @param queue its name
   * @param partition its name
   * @param target where to
   * @return where it is now
   */
  public CompletableFuture<SeekResult> seekPartitionAsync(
      String group, String queue, String partition, SeekTarget target) {
    return calls.ask(
        Request.post(
                "/api/v1/consumer-groups/{}/queues/{}/partitions/{}/seek", group, queue, partition)
            .withBody(body(target))
            .withRetry(Retry.ALWAYS),
        answer ->
            new SeekResult(
                answer.path("updated").asBoolean() ? 1 : 0,
                calls.instant(answer.path("cursorMovedTo"))));
  }

  /**
   * From now on a group starts after this moment in partitions that it has not begun to read, on
   * all queues that it has come to.
   *
   * @param group its name
   * @param moment after which it starts
   * @return on how many queues that was changed
   */
  public long startAfter(String group, Instant moment) {
    return Transport.join(startAfterAsync(group, moment));
  }

  /**
   * {@link #startAfter(String, Instant)} without waiting.
   *
   * @param group its name
   * @param moment after which it starts
   * @return on how many queues that was changed
   */
  public CompletableFuture<Long> startAfterAsync(String group, Instant moment) {
    return calls.ask(
        Request.post("/api/v1/consumer-groups/{}/subscription", group)
            .withBody(calls.object().put("subscriptionTimestamp", moment.toString()))
            .withRetry(Retry.ALWAYS),
        answer -> answer.path("rowsUpdated").asLong());
  }

  /**
   * Pauses the pops of a group from a queue. Pushes, acks and other groups go on. A group that has
   * neither read nor subscribed to the queue is refused.
   *
   * @param group its name
   * @param queue its name
   * @return what is in force now
   */
  public PauseState pause(String group, String queue) {
    return Transport.join(pauseAsync(group, queue));
  }

  /**
   * {@link #pause(String, String)} without waiting.
   *
   * @param group its name
   * @param queue its name
   * @return what is in force now
   */
  public CompletableFuture<PauseState> pauseAsync(String group, String queue) {
    return calls.ask(
        Request.post("/api/v1/consumer-groups/{}/queues/{}/pause", group, queue)
            .withRetry(Retry.ALWAYS),
        PauseState.class);
  }

  /**
   * Ends {@link #pause}. If the whole queue is paused, it stays so.
   *
   * @param group its name
   * @param queue its name
   * @return what is in force now
   */
  public PauseState resume(String group, String queue) {
    return Transport.join(resumeAsync(group, queue));
  }

  /**
   * {@link #resume(String, String)} without waiting.
   *
   * @param group its name
   * @param queue its name
   * @return what is in force now
   */
  public CompletableFuture<PauseState> resumeAsync(String group, String queue) {
    return calls.ask(
        Request.post("/api/v1/consumer-groups/{}/queues/{}/resume", group, queue)
            .withRetry(Retry.ALWAYS),
        PauseState.class);
  }

  /**
   * Forgets how far a group is, on all queues. Its leases end, its dead letters stay.
   *
   * @param group its name
   * @param keepSubscription whether it starts again where it once did; otherwise it is a new group
   *     when it comes again
   * @return what was forgotten
   */
  public GroupDeletion delete(String group, boolean keepSubscription) {
    return Transport.join(deleteAsync(group, keepSubscription));
  }

  /**
   * {@link #delete(String, boolean)} without waiting.
   *
   * @param group its name
   * @param keepSubscription whether it starts again where it once did; otherwise it is a new group
   *     when it comes again
   * @return what was forgotten
   */
  public CompletableFuture<GroupDeletion> deleteAsync(String group, boolean keepSubscription) {
    return calls.ask(
        Request.delete("/api/v1/consumer-groups/{}", group)
            .withQuery("deleteMetadata", !keepSubscription),
        GroupDeletion.class);
  }

  /**
   * Forgets how far a group is on one queue.
   *
   * @param group its name
   * @param queue its name
   * @param keepSubscription whether it starts again where it once did; otherwise it is a new group
   *     when it comes again
   * @return what was forgotten
   */
  public GroupDeletion delete(String group, String queue, boolean keepSubscription) {
    return Transport.join(deleteAsync(group, queue, keepSubscription));
  }

  /**
   * {@link #delete(String, String, boolean)} without waiting.
   *
   * @param group its name
   * @param queue its name
   * @param keepSubscription whether it starts again where it once did; otherwise it is a new group
   *     when it comes again
   * @return what was forgotten
   */
  public CompletableFuture<GroupDeletion> deleteAsync(
      String group, String queue, boolean keepSubscription) {
    return calls.ask(
        Request.delete("/api/v1/consumer-groups/{}/queues/{}", group, queue)
            .withQuery("deleteMetadata", !keepSubscription),
        GroupDeletion.class);
  }

  private ObjectNode body(SeekTarget target) {
    Instant after = target.after();
    return after == null
        ? calls.object().put("toEnd", true)
        : calls.object().put("timestamp", after.toString());
  }

  /** An object with the queues of a group, and the partitions of each. */
  private List<GroupPartition> partitions(JsonNode queues) {
    List<GroupPartition> partitions = new ArrayList<>();
    queues
        .properties()
        .forEach(
            queue -> {
              for (JsonNode each : queue.getValue().path("partitions")) {
                @Nullable String lease = each.path("workerId").textValue();
                partitions.add(
                    new GroupPartition(
                        queue.getKey(),
                        each.path("partition").asText(),
                        lease == null ? null : UUID.fromString(lease),
                        calls.instant(each.path("lastConsumedAt")),
                        each.path("totalConsumed").asLong(),
                        each.path("offsetLag").asLong(),
                        each.path("timeLagSeconds").asLong()));
              }
            });
    return partitions;
  }
}
