package dev.queenmq.bench.httpaudit;

import java.util.stream.Stream;

/** All that is known of one message. For one event loop. */
final class AuditedMessage {
  private static final long PARTITIONS = 1_000_000;
  private static final long SEQUENCES = 10_000_000;

  private final int producer;
  private final int partition;
  private final int sequence;
  private final Fate[] fates;
  private String messageId = "";
  private boolean acknowledged;
  private int position = -1;
  private boolean copied;
  private String buffer = "";

  AuditedMessage(int producer, int partition, int sequence, int groups) {
    this.producer = producer;
    this.partition = partition;
    this.sequence = sequence;
    fates = Stream.generate(Fate::new).limit(groups).toArray(Fate[]::new);
  }

  static String transactionId(int producer, int partition, int sequence) {
    return producer + "-" + partition + "-" + sequence;
  }

  String transactionId() {
    return transactionId(producer, partition, sequence);
  }

  /** What its payload must hold. */
  long number() {
    return (producer * PARTITIONS + partition) * SEQUENCES + sequence;
  }

  /** Whether it is one of those that always fail. */
  boolean isPoison(int every) {
    return every > 0 && Math.floorMod(number() * 31 + partition, every) == 0;
  }

  int producer() {
    return producer;
  }

  int partition() {
    return partition;
  }

  int sequence() {
    return sequence;
  }

  Fate fate(int group) {
    return fates[group];
  }

  /** The broker's id of it; empty as long as nobody has heard one. */
  String messageId() {
    return messageId;
  }

  void is(String id) {
    messageId = id;
  }

  /** Whether the broker has said that it is stored. */
  boolean isAcknowledged() {
    return acknowledged;
  }

  void acknowledge() {
    acknowledged = true;
  }

  /** Its place in its partition, or -1 as long as that is not known. */
  int position() {
    return position;
  }

  void isAt(int place) {
    position = place;
  }

  /** The broker that took it into its spool and promised to store it; empty if none did. */
  String buffer() {
    return buffer;
  }

  void bufferedBy(String broker) {
    buffer = broker;
  }

  /** Whether a transaction has left a copy of it. */
  boolean isCopied() {
    return copied;
  }

  void copied() {
    copied = true;
  }

  @Override
  public String toString() {
    return transactionId() + " (" + messageId + ")";
  }
}
