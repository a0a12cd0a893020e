package dev.queenmq.bench.audit.ledger;

import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * All that was promised, and all that was delivered. For one event loop; the counts are safe for
 * any thread.
 */
public final class Ledger {
  private record CursorKey(int partition, int group) {}

  private final Violations violations = new Violations();
  private final Map<Count, Long> counts = new ConcurrentHashMap<>();
  private final Map<PushTrouble, Long> pushTroubles = new EnumMap<>(PushTrouble.class);
  private final Map<String, AuditedMessage> messages = new LinkedHashMap<>();
  private final Map<CursorKey, CursorBook> cursors = new HashMap<>();
  private final int groups;

  public Ledger(int groups) {
    this.groups = groups;
  }

  public Violations violations() {
    return violations;
  }

  public void add(Count count) {
    add(count, 1);
  }

  public void add(Count count, long more) {
    counts.merge(count, more, Long::sum);
  }

  public long of(Count count) {
    return counts.getOrDefault(count, 0L);
  }

  public Map<Count, Long> counts() {
    return Map.copyOf(counts);
  }

  /** A push got no answer, or a bad one, though it was not cut. */
  public void trouble(PushTrouble trouble) {
    pushTroubles.merge(trouble, 1L, Long::sum);
  }

  public Map<PushTrouble, Long> pushTroubles() {
    return new EnumMap<>(pushTroubles);
  }

  Collection<AuditedMessage> messages() {
    return messages.values();
  }

  /** A message that is about to be pushed, perhaps again. */
  public AuditedMessage pushing(int producer, int partition, int sequence) {
    return messages.computeIfAbsent(
        AuditedMessage.transactionId(producer, partition, sequence),
        key -> new AuditedMessage(producer, partition, sequence, groups));
  }

  public CursorBook cursor(int partition, int group) {
    return cursors.computeIfAbsent(
        new CursorKey(partition, group), key -> new CursorBook(group, violations));
  }

  /** The message with this transaction id, if it was pushed with this number. */
  public Optional<AuditedMessage> find(String transactionId, long number) {
    return Optional.ofNullable(messages.get(transactionId))
        .filter(message -> message.number() == number);
  }

  /** The message that came, if it is one of ours and as it was pushed. */
  public Optional<AuditedMessage> find(
      String transactionId, String partition, String id, long number) {
    Optional<AuditedMessage> found =
        find(transactionId, number)
            .filter(message -> Names.partition(message.partition).equals(partition));
    if (found.isEmpty()) {
      violations.add(
          Violation.PHANTOM, transactionId + " in " + partition + ": " + id + ", n " + number);
    }
    found.ifPresent(message -> known(message, id, Violation.ADMITTED_DUPLICATE, "delivered"));
    return found;
  }

  /** The broker calls the message so; it must not have called it otherwise. */
  public void known(AuditedMessage message, String id, Violation otherwise, String when) {
    if (message.messageId.isEmpty()) {
      message.messageId = id;
    } else if (!message.messageId.equals(id)) {
      violations.add(otherwise, message + " is " + id + " when " + when);
    }
  }

  /** The store says that the message is there; it must not have said otherwise. */
  public void knownAt(AuditedMessage message, long offset) {
    if (message.offset < 0) {
      message.offset = offset;
    } else if (message.offset != offset) {
      violations.add(
          Violation.PHANTOM, message + " at " + offset + ", was reported at " + message.offset);
    }
  }

  /** It is the next of its partition, when all is read in the end. */
  public void stored(AuditedMessage message, List<AuditedMessage> before) {
    if (message.position >= 0) {
      violations.add(Violation.ADMITTED_DUPLICATE, message + " is stored twice");
    } else {
      message.position = before.size();
      before.add(message);
    }
  }

  /** There is a copy of this message. */
  public void copied(String transactionId, long number) {
    AuditedMessage message = find(transactionId, number).orElse(null);
    if (message == null) {
      violations.add(Violation.PHANTOM, "copy " + transactionId + ", n " + number);
    } else if (message.copied) {
      violations.add(Violation.ADMITTED_DUPLICATE, message + " is copied twice");
    } else {
      message.copied = true;
    }
  }

  /** There is a dead letter of this message. */
  public void deadLetter(String transactionId, int group, String payload) {
    AuditedMessage message = messages.get(transactionId);
    add(Count.DEAD_LETTERS_AT_END);
    if (message == null || group < 0) {
      violations.add(Violation.PHANTOM, "dead letter " + transactionId + ", group " + group);
      return;
    }
    message.forGroup(group).deadLettered();
    if (!payload.equals(message.payload())) {
      violations.add(Violation.DEAD_WITHOUT_PAYLOAD, message + ": " + payload);
    }
  }

  /** What a pop brought. */
  public void delivered(HeldBatch batch) {
    cursor(batch.partition(), batch.group()).delivered(batch);
  }

  /** About how many are not done yet, each for each group; at once, however many there are. */
  public long backlog() {
    return of(Count.PUSHED) * groups - of(Count.ACKED) - of(Count.DEAD);
  }

  /** How many messages some group has not dealt with; perhaps counts as not. */
  public long open(boolean certain) {
    long open = 0;
    for (AuditedMessage message : messages.values()) {
      for (int group = 0; group < groups; group++) {
        AuditedMessage.GroupState state = message.forGroup(group);
        boolean settled = state.isDone() || (!certain && state.perhapsDone);
        open += message.acknowledged && !settled ? 1 : 0;
      }
    }
    return open;
  }
}
