package dev.queenmq.server.store.push;

import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.PartitionName;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.StoredMessage;
import dev.queenmq.server.store.call.DatabaseOrder;
import dev.queenmq.server.store.call.Micros;
import dev.queenmq.server.store.call.Positions;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.store.recent.RecentMessages;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One call that appends messages: {@code push_v1}, or the plain statement in its place.
 *
 * <h2>What it guarantees</h2>
 *
 * <ol>
 *   <li>Every message gets exactly one outcome, or is among those to push {@link #again()}.
 *   <li>Messages of one partition are appended in their order. If one of them has to be pushed
 *       again, so do all that follow it in its partition.
 *   <li>A message is answered as a duplicate only if PostgreSQL, holding the partition's lock, says
 *       so, or if an earlier message of the same call has its transaction id.
 *   <li>The memory of transaction ids ({@link RememberedPartition}) learns only what is committed.
 * </ol>
 *
 * <h2>How</h2>
 *
 * <p><b>Grouping.</b> Messages are grouped by partition into {@link PushTarget}s. Targets are sent
 * in the order in which PostgreSQL sorts their ids, which is the order in which locks are taken, so
 * two calls cannot deadlock. A partition whose id is not known is sent by name, last.
 *
 * <p><b>Ids that occur twice in the call.</b> Whether the queue deduplicates is known once
 * something was pushed to it. If it does, the second message is not sent: it is answered from the
 * outcome of the first. If it does not, both are sent. If that is not known, the second message and
 * those behind it wait for the next call ({@link PushTarget.Repeats}).
 *
 * <p><b>Answers.</b> For each target the store says one of three things. <i>Appended</i>: outcomes
 * are made, and the ids are remembered. <i>Not found</i>: the partition was deleted, and what was
 * remembered of it is dropped; or the plain statement found it changed, and the procedure has to
 * decide. The messages are pushed again. <i>Refused</i>: the broker lacks ids that have to be
 * compared, which are read without a lock before the next call ({@link Recall}); or the queue is
 * encrypted and the messages were plain, and then they are encrypted for the next call.
 *
 * <p><b>What the memory may learn.</b> The store has compared everything from the offset up to
 * which this broker knew the ids, and returns the ids that it did not know. If the store relied on
 * what was sent, these continue the memory. If it did not, it compared the whole window, and the
 * memory begins there. If the memory has lost meanwhile what was sent, it learns nothing ({@link
 * #learn}).
 *
 * <h2>Alternatives</h2>
 *
 * <p>A unique index on transaction ids costs more than the append itself: 137,000 messages a second
 * were measured with it, 500,000 without. One call for each partition would cost a round trip each.
 * Decisions 007 and 047.
 *
 * <p>Owned by the store's event loop; used for one call.
 */
public final class PushBatch {
  /**
   * A partition whose recent ids have to be read before it can be pushed to.
   *
   * @param continues they follow on what is remembered of it; otherwise they are the whole window
   */
  record Recall(
      PartitionName name,
      UUID partitionId,
      long from,
      boolean continues,
      int window,
      Instant now) {}

  /** Decides what happens to ids that stand in a call twice. */
  @FunctionalInterface
  public interface RepeatRule {
    PushTarget.Repeats of(PartitionName name, @Nullable RememberedPartition remembered);
  }

  private final List<Message> messages;
  private final PayloadEncryptor encryptor;
  private final AppendMemory memory;
  private final RecentMessages recent;
  private final IdHash hash;
  private final long[] hashes; // of the transaction ids, by position
  private final List<PushTarget> targets;
  private final Positions again = new Positions();
  private final List<Recall> recalls = new ArrayList<>();
  private final Map<PartitionName, Integer> refusedWindows = new HashMap<>();

  /**
   * Groups the messages at these positions.
   *
   * @param rule for ids that stand in it twice
   */
  PushBatch(
      List<Message> messages,
      Positions positions,
      PayloadEncryptor encryptor,
      AppendMemory memory,
      RecentMessages recent,
      IdHash hash,
      RepeatRule rule) {
    this.messages = encryptor.sealed(messages, positions);
    this.encryptor = encryptor;
    this.memory = memory;
    this.recent = recent;
    this.hash = hash;
    hashes = new long[messages.size()];
    Map<PartitionName, PushTarget> byName = new LinkedHashMap<>();
    int from = 0;
    while (from < positions.size()) {
      Message first = messages.get(positions.get(from));
      int to = from + 1;
      while (to < positions.size() && first.isBeside(messages.get(positions.get(to)))) {
        to++;
      }
      PartitionName name = new PartitionName(first.queue(), first.partition());
      @Nullable PushTarget target = byName.get(name);
      if (target == null) {
        target = target(name, rule);
        byName.put(name, target);
      }
      add(target, positions, from, to);
      from = to;
    }
    targets = new ArrayList<>(byName.values());
    targets.sort(Comparator.comparing(PushTarget::id, Comparator.nullsLast(DatabaseOrder.UUIDS)));
    for (PushTarget target : targets) {
      again.addAll(target.deferred());
    }
  }

  private void add(PushTarget target, Positions positions, int from, int to) {
    target.reserve(to - from);
    for (int i = from; i < to; i++) {
      int position = positions.get(i);
      hashes[position] = hash.of(messages.get(position).transactionId());
      target.add(position, hashes[position], messages);
    }
  }

  PushArguments arguments(StoreOptions options, InstantSource clock) {
    return new PushArguments(targets, messages, hashes, options, clock);
  }

  /** The same as a plain statement, if it is a usual call. */
  Optional<PlainPush> plain(PushArguments gathered, SizeLimitedQueues sizeLimited) {
    return PlainPush.of(targets, gathered, encryptor, sizeLimited);
  }

  /**
   * Takes the answer of a plain statement.
   *
   * @param leasedTo the group that has a lease on the messages by the same commit
   */
  void accept(
      PlainPush.Answer answer, @Nullable String leasedTo, @Nullable PushOutcome[] outcomes) {
    for (int i = 0; i < targets.size(); i++) {
      PushTarget target = targets.get(i);
      @Nullable Instant createdAt = answer.times().get(i);
      if (createdAt == null) {
        missed(target);
      } else {
        appended(target, createdAt, leasedTo, outcomes);
      }
    }
    memory.shrink();
  }

  /** The partition is not as it is remembered; the procedure decides. */
  private void missed(PushTarget target) {
    @Nullable RememberedPartition known = memory.find(target.name());
    if (known != null) {
      known.plainMissed();
    }
    again.addAll(target.members());
    echoesAgain(target);
  }

  /** All of its messages were appended where the partition ended, as far as was known. */
  private void appended(
      PushTarget target,
      Instant createdAt,
      @Nullable String leasedTo,
      @Nullable PushOutcome[] outcomes) {
    UUID partitionId = target.knownId();
    long offset = target.end();
    int count = target.members().size();
    long[] stored = new long[count];
    for (int k = 0; k < count; k++) {
      int member = target.members().get(k);
      outcomes[member] =
          new PushOutcome.Queued(
              messages.get(member).id(), partitionId, offset + k, createdAt, leasedTo);
      stored[k] = hashes[member];
    }
    RememberedPartition known = current(target.name(), partitionId, target.window());
    memory.change(
        known,
        () -> {
          known.windowIs(target.window());
          known.plainFound();
          known.endIs(offset + count);
          if (target.window() == 0) {
            return;
          }
          if (known.knownUpTo() < offset) {
            known.forgetIds(); // what was relied on is not known any more
          } else {
            known.learnAll(offset, stored, count, Micros.of(createdAt));
          }
        });
    // Of a plain push, the messages of one queue are all sealed or none is.
    if (!isSealed(target)) {
      recent.appended(partitionId, () -> stored(target, createdAt));
    }
    repeated(target, partitionId, outcomes);
  }

  /** Whether the messages of a plain push are sealed. */
  boolean isSealed(PushTarget target) {
    return messages.get(target.members().get(0)).encrypted();
  }

  /** Bytes that the first messages of a target take in the answer of a pop. */
  long answerBytes(PushTarget target, int count) {
    long bytes = 0;
    for (int k = 0; k < count; k++) {
      bytes +=
          StoredMessage.FIELDS_BYTES + messages.get(target.members().get(k)).payload().length();
    }
    return bytes;
  }

  /** The messages of a target as a pop gives them. */
  List<StoredMessage> stored(PushTarget target, Instant createdAt) {
    List<StoredMessage> stored = new ArrayList<>(target.members().size());
    for (int k = 0; k < target.members().size(); k++) {
      Message message = messages.get(target.members().get(k));
      stored.add(
          new StoredMessage(
              target.end() + k,
              message.id(),
              message.transactionId(),
              message.payload(),
              message.traceId(),
              message.producerSub(),
              false,
              createdAt));
    }
    return stored;
  }

  /** The queues that it pushes to. */
  Set<String> queues() {
    return targets.stream().map(target -> target.name().queue()).collect(Collectors.toSet());
  }

  /** The messages as they were sent: what is to be pushed again may be sealed by now. */
  List<Message> messages() {
    return messages;
  }

  public int targetCount() {
    return targets.size();
  }

  /** Positions that have to be pushed again, in order. */
  public Positions again() {
    again.sort();
    return again;
  }

  List<Recall> recalls() {
    return recalls;
  }

  /** Of the partitions that the store refused: for how long their queues deduplicate. */
  public Map<PartitionName, Integer> refusedWindows() {
    return refusedWindows;
  }

  /** Where each message stands among those sent, or the one that it repeats; from 1. */
  public Integer[] sentAt() {
    Integer[] places = new Integer[messages.size()];
    int place = 0;
    for (PushTarget target : targets) {
      for (int k = 0; k < target.members().size(); k++) {
        places[target.members().get(k)] = ++place;
      }
      for (PushTarget.InBatchDuplicate repeated : target.inBatchDuplicates()) {
        places[repeated.message()] = places[repeated.first()];
      }
    }
    return places;
  }

  /** Whether each message is held back because an earlier one has its id. */
  public Boolean[] inBatchDuplicates() {
    Boolean[] inBatchDuplicates = new Boolean[messages.size()];
    Arrays.fill(inBatchDuplicates, false);
    for (PushTarget target : targets) {
      target.inBatchDuplicates().forEach(repeated -> inBatchDuplicates[repeated.message()] = true);
    }
    return inBatchDuplicates;
  }

  /** The position of the first message that repeats an id within a target the store refused. */
  @Nullable
  public Integer refusedRepeat(PushAnswer answer) {
    @Nullable Integer earliest = null;
    for (int i = 0; i < targets.size(); i++) {
      PushTarget target = targets.get(i);
      if (target.repeats() && answer.exists(i) && answer.window(i) != 0) {
        int repeat = firstRepeat(target);
        earliest = earliest == null ? repeat : Math.min(earliest, repeat);
      }
    }
    return earliest;
  }

  private int firstRepeat(PushTarget target) {
    Set<String> seen = new HashSet<>();
    for (int k = 0; k < target.members().size(); k++) {
      if (!seen.add(messages.get(target.members().get(k)).transactionId())) {
        return target.members().get(k);
      }
    }
    throw new IllegalStateException("no id stands twice");
  }

  /**
   * Takes the answer.
   *
   * @param committed whether what it says was appended is there to stay
   */
  public void accept(PushAnswer answer, boolean committed, @Nullable PushOutcome[] outcomes) {
    int position = 0;
    for (int i = 0; i < targets.size(); i++) {
      PushTarget target = targets.get(i);
      if (!answer.exists(i)) {
        memory.forget(target.name());
        again.addAll(target.members());
        echoesAgain(target);
      } else if (answer.recall(i)) {
        encryptor.found(target.name().queue(), answer.encrypted(i));
        refused(target, i, answer, outcomes);
      } else {
        encryptor.found(target.name().queue(), answer.encrypted(i));
        appended(target, i, position, answer, committed, outcomes);
      }
      position += target.members().size();
    }
    memory.shrink();
  }

  private PushTarget target(PartitionName name, RepeatRule rule) {
    RememberedPartition remembered = memory.find(name);
    return new PushTarget(name, remembered, rule.of(name, remembered));
  }

  private void refused(
      PushTarget target, int index, PushAnswer answer, @Nullable PushOutcome[] outcomes) {
    if (answer.encrypted(index) && encryptor.cannotEncrypt() && hasPlain(target)) {
      keyMissing(target, outcomes);
      return;
    }
    again.addAll(target.members());
    echoesAgain(target);
    refusedWindows.put(target.name(), answer.window(index));
    if (answer.unseenFrom(index) < answer.baseOffset(index)) {
      recalls.add(
          new Recall(
              target.name(),
              answer.partitionId(index),
              answer.unseenFrom(index),
              target.reliedOn(answer.baseOffset(index), answer.window(index)),
              answer.window(index),
              answer.createdAt(index)));
    } else {
      RememberedPartition known = current(target, index, answer);
      memory.change(known, () -> known.windowIs(answer.window(index)));
    }
  }

  private boolean hasPlain(PushTarget target) {
    for (int k = 0; k < target.members().size(); k++) {
      if (!messages.get(target.members().get(k)).encrypted()) {
        return true;
      }
    }
    return false;
  }

  /** What came sealed can still be stored. */
  private void keyMissing(PushTarget target, @Nullable PushOutcome[] outcomes) {
    for (int k = 0; k < target.members().size(); k++) {
      int member = target.members().get(k);
      if (messages.get(member).encrypted()) {
        again.add(member);
      } else {
        outcomes[member] = new PushOutcome.KeyMissing();
      }
    }
    for (PushTarget.InBatchDuplicate repeated : target.inBatchDuplicates()) {
      if (messages.get(repeated.first()).encrypted()) {
        again.add(repeated.message());
      } else {
        outcomes[repeated.message()] = new PushOutcome.KeyMissing();
      }
    }
  }

  private void appended(
      PushTarget target,
      int index,
      int firstPosition,
      PushAnswer answer,
      boolean committed,
      @Nullable PushOutcome[] outcomes) {
    UUID partitionId = answer.partitionId(index);
    Instant createdAt = answer.createdAt(index);
    long offset = answer.baseOffset(index);
    long[] stored = new long[target.members().size()];
    int count = 0;
    for (int k = 0; k < target.members().size(); k++) {
      int member = target.members().get(k);
      UUID first = answer.duplicateOf(firstPosition + k);
      if (first != null) {
        outcomes[member] = new PushOutcome.Duplicate(first, partitionId);
      } else if (answer.full(firstPosition + k)) {
        outcomes[member] = new PushOutcome.QueueFull();
      } else {
        Message message = messages.get(member);
        outcomes[member] = new PushOutcome.Queued(message.id(), partitionId, offset, createdAt);
        stored[count++] = hashes[member];
        offset++;
      }
    }
    if (committed) {
      remember(target, index, answer, stored, count);
      repeated(target, partitionId, outcomes);
    }
  }

  private void repeated(PushTarget target, UUID partitionId, @Nullable PushOutcome[] outcomes) {
    for (PushTarget.InBatchDuplicate repeated : target.inBatchDuplicates()) {
      PushOutcome first = outcomes[repeated.first()];
      if (first instanceof PushOutcome.QueueFull) {
        outcomes[repeated.message()] = first;
      } else {
        UUID firstId =
            first instanceof PushOutcome.Duplicate duplicate
                ? duplicate.firstMessageId()
                : messages.get(repeated.first()).id();
        outcomes[repeated.message()] = new PushOutcome.Duplicate(firstId, partitionId);
      }
    }
  }

  private void echoesAgain(PushTarget target) {
    for (PushTarget.InBatchDuplicate repeated : target.inBatchDuplicates()) {
      again.add(repeated.message());
    }
  }

  private void remember(PushTarget target, int index, PushAnswer answer, long[] stored, int count) {
    RememberedPartition known = current(target, index, answer);
    memory.change(
        known,
        () -> {
          known.windowIs(answer.window(index));
          known.endIs(answer.baseOffset(index) + count);
          if (answer.window(index) != 0) {
            learn(known, target, index, answer, stored, count);
          }
        });
  }

  /** What is remembered of the partition that the store found under the target's name. */
  private RememberedPartition current(PushTarget target, int index, PushAnswer answer) {
    return current(target.name(), answer.partitionId(index), answer.window(index));
  }

  private RememberedPartition current(PartitionName name, UUID partitionId, int window) {
    RememberedPartition known = memory.find(name);
    if (known == null || !known.id().equals(partitionId)) {
      known = new RememberedPartition(partitionId, window);
      memory.put(name, known);
    }
    return known;
  }

  /*
   * The store compared everything from unseenFrom on. Either that continues what is known here; or
   * it did not rely on what is known here, and compared the whole window, which is a new beginning;
   * or what it relied on is not known any more, and then nothing is known.
   */
  private void learn(
      RememberedPartition known,
      PushTarget target,
      int index,
      PushAnswer answer,
      long[] stored,
      int count) {
    long from = answer.unseenFrom(index);
    if (!target.reliedOn(answer.baseOffset(index), answer.window(index))) {
      known.begin(from, from == 0 ? RememberedPartition.EVERYTHING : answer.window(index));
    } else if (known.knownUpTo() < from) {
      known.forgetIds();
      return;
    }
    long createdAt = Micros.of(answer.createdAt(index));
    long[] unseen = hash.ofAll(answer.unseenIds(index));
    known.learnAll(from, unseen, unseen.length, createdAt);
    known.learnAll(answer.baseOffset(index), stored, count, createdAt);
  }
}
