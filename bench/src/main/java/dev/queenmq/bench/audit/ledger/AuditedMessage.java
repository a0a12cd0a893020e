package dev.queenmq.bench.audit.ledger;

import dev.queenmq.bench.broker.PopMessage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Everything the audit knows about one message. For one event loop. */
public final class AuditedMessage {
  private static final long PARTITIONS = 1_000_000;
  private static final long SEQUENCES = 10_000_000;

  final int producer;
  final int partition;
  final int sequence;

  /** The broker's id of it; empty until an answer has named it. */
  String messageId = "";

  /** Where the store says that it is in its partition; -1 as long as that is not known. */
  long offset = -1;

  /** Whether the broker has said that it is stored. */
  boolean acknowledged;

  /** The broker that took it into its spool and promised to store it; empty if none did. */
  String buffer = "";

  /** Its place in its partition as it was read in the end, or -1. */
  int position = -1;

  /** Whether a transaction has left a copy of it. */
  boolean copied;

  private final GroupState[] states;

  AuditedMessage(int producer, int partition, int sequence, int groups) {
    this.producer = producer;
    this.partition = partition;
    this.sequence = sequence;
    states = Stream.generate(GroupState::new).limit(groups).toArray(GroupState[]::new);
  }

  static String transactionId(int producer, int partition, int sequence) {
    return producer + "-" + partition + "-" + sequence;
  }

  public String transactionId() {
    return transactionId(producer, partition, sequence);
  }

  public int partition() {
    return partition;
  }

  public int sequence() {
    return sequence;
  }

  /** Its offset in its partition, as the store reported it. */
  public long offset() {
    return offset;
  }

  /** Whether the broker has answered that it is stored, or that it will be. */
  public boolean isAcknowledged() {
    return acknowledged;
  }

  public void acknowledge() {
    acknowledged = true;
  }

  /** Whether a broker has taken it into its spool. */
  public boolean isBuffered() {
    return !buffer.isEmpty();
  }

  /** This broker has taken it into its spool. */
  public void buffer(String broker) {
    buffer = broker;
  }

  /** What its payload must hold. */
  public long number() {
    return (producer * PARTITIONS + partition) * SEQUENCES + sequence;
  }

  public String payload() {
    return PopMessage.payload(number());
  }

  /** Whether it is one of those that always fail. */
  public boolean isPoison(int every) {
    return every > 0 && Math.floorMod(number() * 31 + partition, every) == 0;
  }

  public GroupState forGroup(int group) {
    return states[group];
  }

  @Override
  public String toString() {
    return transactionId() + " (" + messageId + ")";
  }

  /** What one group got of one message and said about it. */
  public static final class GroupState {
    /** The latest delivery. */
    @Nullable HeldBatch last;

    /** The lease under which the broker took it as done. */
    @Nullable HeldBatch doneUnder;

    /** The earliest moment at which it can have been done. */
    long doneSent = Long.MAX_VALUE;

    /** When it was heard that it is done, by an ack that named no lease. */
    long looselyDone = Long.MAX_VALUE;

    /** Whether it may be done, by an ack without an answer or without a lease. */
    boolean perhapsDone;

    /** Whether the broker has answered that it is a dead letter now. */
    boolean promisedDead;

    /** Whether it is among the dead letters. */
    boolean deadLettered;

    /** Why the broker did not take the latest ack that it refused. */
    String refusal = "no ack was refused";

    /** The broker has answered that it is a dead letter now. */
    public void promiseDeadLetter() {
      promisedDead = true;
    }

    /** The broker refused an ack. */
    public void refuse(String reason) {
      refusal = reason;
    }

    boolean isDone() {
      return doneUnder != null;
    }

    public boolean isSettled() {
      return isDone() || perhapsDone || deadLettered;
    }

    void done(HeldBatch under, long sent) {
      if (doneUnder == null) {
        doneUnder = under;
      }
      doneSent = Math.min(doneSent, sent);
    }

    public void perhapsDone(long sent) {
      perhapsDone = true;
      doneSent = Math.min(doneSent, sent);
    }

    /** It is a dead letter, perhaps without an ack: then its deliveries were too many. */
    void deadLettered() {
      deadLettered = true;
      doneSent = last == null ? Long.MIN_VALUE : Math.min(doneSent, last.sent());
    }

    /** What happened to the message, as a text to read. */
    String history() {
      return "last got by " + last + ", " + refusal;
    }
  }
}
