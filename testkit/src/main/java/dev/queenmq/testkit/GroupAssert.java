package dev.queenmq.testkit;

import dev.queenmq.testkit.internal.QueueFigures.GroupFigures;
import java.util.function.Predicate;

/** Assertions about a consumer group of a queue. */
public final class GroupAssert {
  private static final GroupFigures NONE = new GroupFigures(-1, 0, 0);

  private final QueueAssert queue;
  private final String group;

  GroupAssert(QueueAssert queue, String group) {
    this.queue = queue;
    this.group = group;
  }

  /**
   * This many messages are not done by the group, leased ones included.
   *
   * @param messages how many
   * @return this
   */
  public GroupAssert hasLag(long messages) {
    return check("lag " + messages, found -> found.lag() == messages);
  }

  /**
   * The group has done all messages.
   *
   * @return this
   */
  public GroupAssert hasNoLag() {
    return hasLag(0);
  }

  /**
   * Consumers of the group hold leases on this many partitions.
   *
   * @param partitions how many
   * @return this
   */
  public GroupAssert hasLeases(long partitions) {
    return check(partitions + " leases", found -> found.leases() == partitions);
  }

  /**
   * No consumer of the group holds a lease.
   *
   * @return this
   */
  public GroupAssert hasNoLeases() {
    return hasLeases(0);
  }

  /**
   * The group has given up this many messages.
   *
   * @param messages how many
   * @return this
   */
  public GroupAssert hasDeadLetters(long messages) {
    return check(messages + " dead letters", found -> found.deadLetters() == messages);
  }

  /**
   * The group has given up no message.
   *
   * @return this
   */
  public GroupAssert hasNoDeadLetters() {
    return hasDeadLetters(0);
  }

  /**
   * Turns to the queue again.
   *
   * @return what can be said about it
   */
  public QueueAssert queue() {
    return queue;
  }

  private GroupAssert check(String expectation, Predicate<GroupFigures> good) {
    queue.check(
        "to have %s in group %s".formatted(expectation, group),
        found -> good.test(found.groups().getOrDefault(group, NONE)));
    return this;
  }
}
