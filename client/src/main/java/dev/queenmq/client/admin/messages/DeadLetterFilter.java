package dev.queenmq.client.admin.messages;

import dev.queenmq.client.admin.query.TimeRange;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters. What is null, or an empty list, selects any.
 *
 * @param queue needed to redrive and to purge
 * @param partition of the queue
 * @param consumerGroup that gave them up
 * @param from failed at this moment or later
 * @param to failed at this moment or earlier
 * @param transactionIds of the messages; not for lists
 */
public record DeadLetterFilter(
    @Nullable String queue,
    @Nullable String partition,
    @Nullable String consumerGroup,
    @Nullable Instant from,
    @Nullable Instant to,
    List<String> transactionIds) {

  /**
   * Copies the list.
   *
   * @param queue needed to redrive and to purge
   * @param partition of the queue
   * @param consumerGroup that gave them up
   * @param from failed at this moment or later
   * @param to failed at this moment or earlier
   * @param transactionIds of the messages; not for lists
   */
  public DeadLetterFilter {
    transactionIds = List.copyOf(transactionIds);
  }

  /**
   * Dead letters of all queues.
   *
   * @return the filter
   */
  public static DeadLetterFilter any() {
    return new DeadLetterFilter(null, null, null, null, null, List.of());
  }

  /**
   * Those of one queue.
   *
   * @param queue its name
   * @return the filter
   */
  public static DeadLetterFilter queue(String queue) {
    return new DeadLetterFilter(queue, null, null, null, null, List.of());
  }

  /**
   * Only those of a partition.
   *
   * @param name of the partition
   * @return a changed copy
   */
  public DeadLetterFilter partition(String name) {
    return new DeadLetterFilter(queue, name, consumerGroup, from, to, transactionIds);
  }

  /**
   * Only those that a group gave up.
   *
   * @param name of the group
   * @return a changed copy
   */
  public DeadLetterFilter consumerGroup(String name) {
    return new DeadLetterFilter(queue, partition, name, from, to, transactionIds);
  }

  /**
   * Only those that failed in this time.
   *
   * @param range when
   * @return a changed copy
   */
  public DeadLetterFilter failed(TimeRange range) {
    return new DeadLetterFilter(
        queue, partition, consumerGroup, range.from(), range.to(), transactionIds);
  }

  /**
   * Only those of messages with these transaction ids.
   *
   * @param ids of the messages
   * @return a changed copy
   */
  public DeadLetterFilter transactionIds(List<String> ids) {
    return new DeadLetterFilter(queue, partition, consumerGroup, from, to, ids);
  }
}
