package dev.queenmq.testkit;

import dev.queenmq.client.admin.GroupAdmin;
import dev.queenmq.testkit.internal.QueueFigures;
import dev.queenmq.testkit.internal.RunningBroker;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Assertions about a queue. They look at the broker's database, so that they are exact and do not
 * disturb consumers. Each throws an {@link AssertionError} that says what there is instead.
 *
 * <p>An assertion looks once. {@link #within} gives it time, for consumers that are still at work.
 */
public final class QueueAssert {
  private final RunningBroker broker;
  private final String queue;
  private final Patience patience;

  QueueAssert(RunningBroker broker, String queue, Duration patience) {
    this.broker = broker;
    this.queue = queue;
    this.patience = new Patience(patience);
  }

  /**
   * Gives the following assertions time: each may become true within it.
   *
   * @param time how long to wait at most
   * @return assertions with this patience
   */
  public QueueAssert within(Duration time) {
    return new QueueAssert(broker, queue, time);
  }

  /**
   * The queue exists.
   *
   * @return this
   */
  public QueueAssert exists() {
    return check("to exist", found -> true);
  }

  /**
   * The queue does not exist.
   *
   * @return this
   */
  public QueueAssert doesNotExist() {
    patience.until(
        () ->
            broker
                .figures(queue)
                .map(
                    found ->
                        "Expected that there is no queue %s, but %s"
                            .formatted(queue, found.describe())));
    return this;
  }

  /**
   * This many messages are stored and not done, leased ones included. With several groups those of
   * the group count that is furthest behind, in each partition.
   *
   * @param messages how many
   * @return this
   */
  public QueueAssert hasDepth(long messages) {
    return check("to have depth " + messages, found -> found.depth() == messages);
  }

  /**
   * No message is stored that is not done.
   *
   * @return this
   */
  public QueueAssert isEmpty() {
    return hasDepth(0);
  }

  /**
   * The same for one partition, which exists.
   *
   * @param partition its name
   * @param messages how many
   * @return this
   */
  public QueueAssert hasDepth(String partition, long messages) {
    return check(
        "to have depth %d in partition %s".formatted(messages, partition),
        found -> found.pending().getOrDefault(partition, -1L) == messages);
  }

  /**
   * The queue has this many partitions.
   *
   * @param partitions how many
   * @return this
   */
  public QueueAssert hasPartitions(int partitions) {
    return check(
        "to have %d partitions".formatted(partitions),
        found -> found.pending().size() == partitions);
  }

  /**
   * All groups together have given up this many messages.
   *
   * @param messages how many
   * @return this
   */
  public QueueAssert hasDeadLetters(long messages) {
    return check(
        "to have %d dead letters".formatted(messages),
        found ->
            found.groups().values().stream().mapToLong(QueueFigures.GroupFigures::deadLetters).sum()
                == messages);
  }

  /**
   * No group has given up a message.
   *
   * @return this
   */
  public QueueAssert hasNoDeadLetters() {
    return hasDeadLetters(0);
  }

  /**
   * Turns to a consumer group.
   *
   * @param group its name
   * @return what can be said about it
   */
  public GroupAssert group(String group) {
    return new GroupAssert(this, group);
  }

  /**
   * Turns to the consumers that name no group.
   *
   * @return what can be said about them
   */
  public GroupAssert withoutGroup() {
    return group(GroupAdmin.QUEUE_MODE);
  }

  /** Fails unless the queue exists and is as expected. */
  QueueAssert check(String expectation, Predicate<QueueFigures> good) {
    patience.until(
        () -> {
          Optional<QueueFigures> found = broker.figures(queue);
          return found.filter(good).isPresent()
              ? Optional.empty()
              : Optional.of(
                  "Expected queue %s %s, but %s"
                      .formatted(
                          queue,
                          expectation,
                          found.map(QueueFigures::describe).orElse("there is no such queue")));
        });
    return this;
  }
}
