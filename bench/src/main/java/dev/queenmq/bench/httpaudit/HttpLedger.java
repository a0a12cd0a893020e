package dev.queenmq.bench.httpaudit;

import dev.queenmq.bench.audit.Violation;
import dev.queenmq.bench.audit.Violations;
import dev.queenmq.bench.broker.PopMessage;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/** All that the broker has promised, and all that it has delivered. For one event loop. */
final class HttpLedger {
  private record CursorKey(int partition, int group) {}

  private final Violations violations = new Violations();
  private final Map<Count, LongAdder> counts = new EnumMap<>(Count.class);
  private final Map<PushTrouble, Long> pushTroubles = new EnumMap<>(PushTrouble.class);
  private final Map<String, AuditedMessage> messages = new LinkedHashMap<>();
  private final Map<CursorKey, CursorBook> cursors = new HashMap<>();
  private final HttpAuditSettings settings;
  private final int groups;

  HttpLedger(HttpAuditSettings settings, int groups) {
    this.settings = settings;
    this.groups = groups;
    for (Count count : Count.values()) {
      counts.put(count, new LongAdder());
    }
  }

  Violations violations() {
    return violations;
  }

  void add(Count count) {
    add(count, 1);
  }

  void add(Count count, long more) {
    adder(count).add(more);
  }

  /** How often so far. Safe for any thread. */
  long of(Count count) {
    return adder(count).sum();
  }

  private LongAdder adder(Count count) {
    LongAdder adder = counts.get(count);
    if (adder == null) {
      throw new IllegalStateException("unknown: " + count);
    }
    return adder;
  }

  /** A push got no answer, or a bad one, though nobody cut it. */
  void trouble(PushTrouble trouble) {
    pushTroubles.merge(trouble, 1L, Long::sum);
  }

  Map<PushTrouble, Long> pushTroubles() {
    return new EnumMap<>(pushTroubles);
  }

  Collection<AuditedMessage> messages() {
    return messages.values();
  }

  /** A message that is about to be pushed, perhaps again. */
  AuditedMessage pushing(int producer, int partition, int sequence) {
    return messages.computeIfAbsent(
        AuditedMessage.transactionId(producer, partition, sequence),
        key -> new AuditedMessage(producer, partition, sequence, groups));
  }

  CursorBook cursor(int partition, int group) {
    return cursors.computeIfAbsent(
        new CursorKey(partition, group),
        key -> new CursorBook(group, settings.lease(), violations));
  }

  /** The message with this transaction id, if it was pushed. */
  Optional<AuditedMessage> byTransactionId(String id) {
    return Optional.ofNullable(messages.get(id));
  }

  /** The message that came, if it is one of ours and as it was pushed. */
  Optional<AuditedMessage> find(PopMessage popped) {
    AuditedMessage message = messages.get(popped.transactionId());
    if (message == null
        || message.number() != popped.number()
        || !Names.partition(message.partition()).equals(popped.partition())) {
      violations.add(Violation.PHANTOM, popped.toString());
      return Optional.empty();
    }
    known(message, popped.id(), Violation.ADMITTED_DUPLICATE, "delivered");
    return Optional.of(message);
  }

  /** The broker calls the message so; it must not have called it otherwise. */
  void known(AuditedMessage message, String id, Violation otherwise, String when) {
    if (message.messageId().isEmpty()) {
      message.is(id);
    } else if (!message.messageId().equals(id)) {
      violations.add(otherwise, message + " is " + id + " when " + when);
    }
  }

  /** About how many are not done yet, each for each group; at once, however many there are. */
  long backlog() {
    return of(Count.PUSHED) * groups - of(Count.ACKED) - of(Count.DEAD);
  }

  /** How many messages some group has not dealt with; perhaps counts as not. */
  long open(boolean certain) {
    long open = 0;
    for (AuditedMessage message : messages.values()) {
      for (int group = 0; group < groups; group++) {
        Fate fate = message.fate(group);
        boolean settled = fate.isDone() || (!certain && fate.isPerhapsDone());
        open += message.isAcknowledged() && !settled ? 1 : 0;
      }
    }
    return open;
  }
}
