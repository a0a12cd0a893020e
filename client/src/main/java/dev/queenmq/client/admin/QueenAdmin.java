package dev.queenmq.client.admin;

import dev.queenmq.client.internal.Transport;

/**
 * What operators do, by subject.
 *
 * <pre>{@code
 * QueenAdmin admin = client.admin();
 * admin.queues().list().items().forEach(queue -> System.out.println(queue.name()));
 * admin.groups().seek("billing", "orders", SeekTarget.beginning());
 * admin.deadLetters().redrive(DeadLetterFilter.queue("orders"), 1_000);
 * }</pre>
 *
 * <p>Safe for use by several threads. With tokens, reading needs the role {@code read-only}, most
 * changes {@code admin}.
 */
public final class QueenAdmin {
  private final AdminCalls calls;

  /**
   * Made by the client.
   *
   * @param transport that carries the requests
   */
  @SuppressWarnings("exports") // Only the client can make a transport.
  public QueenAdmin(Transport transport) {
    this.calls = new AdminCalls(transport);
  }

  /**
   * Queues, their partitions and labels.
   *
   * @return their operations
   */
  public QueueAdmin queues() {
    return new QueueAdmin(calls);
  }

  /**
   * Consumer groups.
   *
   * @return their operations
   */
  public GroupAdmin groups() {
    return new GroupAdmin(calls);
  }

  /**
   * Leases that are live.
   *
   * @return their operations
   */
  public LeaseAdmin leases() {
    return new LeaseAdmin(calls);
  }

  /**
   * Stored messages.
   *
   * @return their operations
   */
  public MessageAdmin messages() {
    return new MessageAdmin(calls);
  }

  /**
   * Messages that groups gave up.
   *
   * @return their operations
   */
  public DeadLetterAdmin deadLetters() {
    return new DeadLetterAdmin(calls);
  }

  /**
   * What consumers recorded about messages.
   *
   * @return their operations
   */
  public TraceAdmin traces() {
    return new TraceAdmin(calls);
  }

  /**
   * State of stream processors.
   *
   * @return their operations
   */
  public StreamAdmin streams() {
    return new StreamAdmin(calls);
  }

  /**
   * How the whole is doing, now and over time.
   *
   * @return their operations
   */
  public StatusAdmin status() {
    return new StatusAdmin(calls);
  }

  /**
   * Brokers themselves.
   *
   * @return their operations
   */
  public SystemAdmin system() {
    return new SystemAdmin(calls);
  }
}
