package dev.queenmq.server.store.push;

import dev.queenmq.server.model.Message;
import dev.queenmq.server.store.call.StoreOptions;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.IntToLongFunction;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The arrays that {@code push_v1} takes: targets, their segments, the segments' messages. Gathers
 * once, then writes itself into a tuple.
 */
public final class PushArguments {
  /** By how much this broker's clock may have been set between two readings. */
  private static final Duration CLOCK_MARGIN = Duration.ofMinutes(1);

  /** How many fields {@code push_request_v1} has. */
  static final int FIELDS = 26;

  private static final Integer[] NONE = {};

  private final StoreOptions options;
  private final InstantSource clock;
  private final long[] hashes;
  private final List<Message> messages;
  private final List<PushTarget> targets;
  private final int targetCount;
  private final String[] queues;
  private final String[] partitions;
  private final @Nullable UUID[] partitionIds;
  private final Integer[] counts;
  private final Long[] known;
  private final Integer[] knownWindows;
  private final @Nullable Boolean[] repeats;
  private final List<Integer> segmentTargets = new ArrayList<>();
  private final List<Integer> segmentCounts = new ArrayList<>();
  private final List<Boolean> segmentEncrypted = new ArrayList<>();
  private final UUID[] messageIds;
  private final String[] transactionIds;
  private final String[] payloads;
  private @Nullable UUID @Nullable [] traceIds;
  private @Nullable String @Nullable [] producerSubs;
  private final List<Integer> suspectMessages = new ArrayList<>();
  private final List<Long> suspectOffsets = new ArrayList<>();
  private final List<Integer> repeatedMessages = new ArrayList<>();
  private final List<Integer> repeatedSeconds = new ArrayList<>();
  private final LongConsumer suspect = this::suspect;
  private int next;
  private int largest;

  PushArguments(
      List<PushTarget> targets,
      List<Message> messages,
      long[] hashes,
      StoreOptions options,
      InstantSource clock) {
    this.options = options;
    this.clock = clock;
    this.hashes = hashes;
    this.messages = messages;
    this.targets = targets;
    targetCount = targets.size();
    queues = new String[targetCount];
    partitions = new String[targetCount];
    partitionIds = new UUID[targetCount];
    counts = new Integer[targetCount];
    known = new Long[targetCount];
    knownWindows = new Integer[targetCount];
    repeats = new Boolean[targetCount];
    int total = 0;
    for (PushTarget target : targets) {
      total += target.members().size();
    }
    messageIds = new UUID[total];
    transactionIds = new String[total];
    payloads = new String[total];
    for (int i = 0; i < targetCount; i++) {
      add(i, targets.get(i));
    }
  }

  /** These arguments as SQL: the parameters from this number on. */
  public static String row(int first) {
    return IntStream.range(first, first + FIELDS)
        .mapToObj(number -> "$" + number)
        .collect(Collectors.joining(", ", "row(", ")::queen.push_request_v1"));
  }

  /**
   * The fields of {@code push_request_v1}, in its order.
   *
   * @param stamp of a push that is a repetition; else 0
   */
  Tuple addTo(Tuple tuple, int recallLimit, boolean plain, boolean checkCapacity, long stamp) {
    return tuple
        .addArrayOfString(queues)
        .addArrayOfString(partitions)
        .addArrayOfUUID(partitionIds)
        .addBoolean(targetCount == 0 || partitionIds[targetCount - 1] != null)
        .addArrayOfInteger(counts)
        .addArrayOfLong(known)
        .addArrayOfInteger(knownWindows)
        .addArrayOfBoolean(repeats)
        .addInteger(recallLimit)
        .addArrayOfInteger(segmentTargets.toArray(Integer[]::new))
        .addArrayOfInteger(segmentCounts.toArray(Integer[]::new))
        .addArrayOfBoolean(segmentEncrypted.toArray(Boolean[]::new))
        .addBoolean(plain)
        .addArrayOfInteger(messageSegments())
        .addArrayOfUUID(messageIds)
        .addArrayOfString(transactionIds)
        .addArrayOfString(payloads)
        .addArrayOfUUID(traceIds)
        .addArrayOfString(producerSubs)
        .addArrayOfInteger(suspectMessages.toArray(Integer[]::new))
        .addArrayOfLong(suspectOffsets.toArray(Long[]::new))
        .addBoolean(checkCapacity)
        .addLong(stamp)
        .addArrayOfInteger(stamp == 0 ? NONE : repeatedMessages.toArray(Integer[]::new))
        .addArrayOfInteger(stamp == 0 ? NONE : repeatedSeconds.toArray(Integer[]::new))
        .addInteger(largest);
  }

  /** Whether nothing speaks against a plain statement: see {@link PlainPush}. */
  boolean mayBePlain() {
    return options.plainStatements() && suspectMessages.isEmpty() && repeatedMessages.isEmpty();
  }

  /** Whether the messages are sealed if and only if their queue is said to be encrypted. */
  boolean isSealed(Predicate<String> encryptedQueue) {
    for (int i = 0; i < segmentEncrypted.size(); i++) {
      String queue = queues[segmentTargets.get(i) - 1];
      if (segmentEncrypted.get(i) != encryptedQueue.test(queue)) {
        return false;
      }
    }
    return true;
  }

  short shard() {
    return options.shard();
  }

  int segmentCount() {
    return segmentTargets.size();
  }

  int messageCount() {
    return payloads.length;
  }

  /** As {@code push_one} takes them, after the shard, the partition and its end. */
  Tuple addOneSegment(Tuple tuple, String queue, int window, boolean encrypted) {
    return addMessages(
        tuple
            .addInteger(payloads.length)
            .addString(queue)
            .addInteger(window)
            .addBoolean(encrypted)
            .addInteger(largest));
  }

  /** As {@code push_singles} takes them, after the targets and the queues. */
  Tuple addSingles(Tuple tuple) {
    return addMessages(
        tuple.addInteger(largest).addArrayOfBoolean(segmentEncrypted.toArray(Boolean[]::new)));
  }

  /**
   * As {@code push_several} takes them, after the targets and the queues.
   *
   * @param ends of the partitions, by target
   */
  Tuple addSegments(Tuple tuple, IntToLongFunction ends) {
    int count = segmentTargets.size();
    Long[] bases = new Long[count];
    Integer[] before = new Integer[count];
    int total = 0;
    int target = 0;
    long offset = 0;
    for (int i = 0; i < count; i++) {
      if (segmentTargets.get(i) != target) {
        target = segmentTargets.get(i);
        offset = ends.applyAsLong(target - 1);
      }
      bases[i] = offset;
      before[i] = total;
      offset += segmentCounts.get(i);
      total += segmentCounts.get(i);
    }
    return addMessages(
        tuple
            .addInteger(largest)
            .addArrayOfInteger(counts)
            .addArrayOfInteger(segmentTargets.toArray(Integer[]::new))
            .addArrayOfLong(bases)
            .addArrayOfInteger(segmentCounts.toArray(Integer[]::new))
            .addArrayOfInteger(before)
            .addArrayOfBoolean(segmentEncrypted.toArray(Boolean[]::new)));
  }

  private Tuple addMessages(Tuple tuple) {
    return tuple
        .addArrayOfUUID(messageIds)
        .addArrayOfString(transactionIds)
        .addArrayOfString(payloads)
        .addArrayOfUUID(traceIds)
        .addArrayOfString(producerSubs);
  }

  /** Where each message sent stands in the caller's list. */
  public List<Integer> positions() {
    List<Integer> positions = new ArrayList<>(payloads.length);
    for (PushTarget target : targets) {
      for (int k = 0; k < target.members().size(); k++) {
        positions.add(target.members().get(k));
      }
    }
    return positions;
  }

  /** The segment of each message, from 1. */
  private Integer[] messageSegments() {
    Integer[] segments = new Integer[payloads.length];
    int message = 0;
    for (int i = 0; i < segmentCounts.size(); i++) {
      int end = message + segmentCounts.get(i);
      Arrays.fill(segments, message, end, i + 1);
      message = end;
    }
    return segments;
  }

  /** Whether some of the messages were sent before. */
  boolean isRepetition() {
    return !repeatedMessages.isEmpty();
  }

  private void add(int index, PushTarget target) {
    RememberedPartition remembered = target.remembered();
    queues[index] = target.name().queue();
    partitions[index] = target.name().partition();
    partitionIds[index] = target.id();
    counts[index] = target.members().size();
    known[index] = target.known();
    knownWindows[index] = target.knownWindow();
    // Null: some are held back, which is right only if the queue deduplicates.
    repeats[index] = target.inBatchDuplicates().isEmpty() ? target.repeats() : null;
    int inSegment = 0;
    int characters = 0;
    boolean encrypted = false;
    for (int k = 0; k < target.members().size(); k++) {
      int member = target.members().get(k);
      Message message = messages.get(member);
      if (inSegment > 0
          && (inSegment == options.segmentMessages()
              || characters + message.payload().length() > options.segmentBytes()
              || encrypted != message.encrypted())) {
        addSegment(index, inSegment, encrypted);
        inSegment = 0;
        characters = 0;
      }
      encrypted = message.encrypted();
      inSegment++;
      characters += message.payload().length();
      add(message);
      if (remembered != null) {
        remembered.suspects(hashes[member], suspect);
      }
    }
    if (inSegment > 0) {
      addSegment(index, inSegment, encrypted);
    }
  }

  private void addSegment(int target, int count, boolean encrypted) {
    segmentTargets.add(target + 1);
    segmentCounts.add(count);
    segmentEncrypted.add(encrypted);
  }

  private void add(Message message) {
    messageIds[next] = message.id();
    transactionIds[next] = message.transactionId();
    payloads[next] = message.payload();
    largest = Math.max(largest, message.payloadBytes());
    if (message.traceId() != null) {
      if (traceIds == null) {
        traceIds = new UUID[payloads.length];
      }
      traceIds[next] = message.traceId();
    }
    if (message.producerSub() != null) {
      if (producerSubs == null) {
        producerSubs = new String[payloads.length];
      }
      producerSubs[next] = message.producerSub();
    }
    next++;
    if (message.sentAt() != null) {
      repeatedMessages.add(next);
      repeatedSeconds.add(secondsSince(message.sentAt()));
    }
  }

  private int secondsSince(Instant moment) {
    long seconds = Duration.between(moment, clock.instant()).plus(CLOCK_MARGIN).toSeconds();
    return (int) Math.max(0, Math.min(Integer.MAX_VALUE, seconds));
  }

  /** The message that was added last. */
  private void suspect(long offset) {
    suspectMessages.add(next);
    suspectOffsets.add(offset);
  }
}
