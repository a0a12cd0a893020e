package dev.queenmq.server.model;

/** A partition as producers name it. */
public record PartitionName(String queue, String partition) {

  /** Where a message goes. */
  public static PartitionName of(Message message) {
    return new PartitionName(message.queue(), message.partition());
  }
}
