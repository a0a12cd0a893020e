package dev.queenmq.server.store.push;

import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.PartitionName;
import dev.queenmq.server.store.call.Positions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The messages of one call for one partition, in order. */
public final class PushTarget {
  /** What happens to an id that stands in the call twice. */
  public enum Repeats {
    /** Send it: the queue does not deduplicate, or the store is to refuse. */
    SEND,
    /** Answer it as its first occurrence will be answered. */
    ECHO,
    /** Keep it, and what follows it, for the next call, which will know. */
    DEFER
  }

  /** A message that repeats an earlier one of the call; positions in the caller's list. */
  record InBatchDuplicate(int message, int first) {}

  private static final int NONE = -1;

  private final PartitionName name;
  private final @Nullable RememberedPartition remembered;
  private final Repeats onRepeat;
  // As sent: the memory may have moved on by the time the answer comes.
  private final long known;
  private final int knownWindow;
  private final long end;
  private final int window;
  private final Positions members = new Positions();
  private final List<InBatchDuplicate> inBatchDuplicates = new ArrayList<>(0);
  private final Positions deferred = new Positions();
  private final IdTable seen = new IdTable(0);
  // What a search compares, so that it needs no object for each message.
  private final LongConsumer compare = this::compare;
  private List<Message> searched = List.of();
  private String sought = "";
  private int found = NONE;
  private boolean repeats;

  PushTarget(PartitionName name, @Nullable RememberedPartition remembered, Repeats onRepeat) {
    this.name = name;
    this.remembered = remembered;
    this.onRepeat = onRepeat;
    known = remembered == null ? RememberedPartition.NOTHING : remembered.knownUpTo();
    knownWindow = remembered == null ? 0 : remembered.knownWindow();
    end = remembered == null ? RememberedPartition.NOTHING : remembered.end();
    window = remembered == null ? 0 : remembered.window();
  }

  PartitionName name() {
    return name;
  }

  @Nullable RememberedPartition remembered() {
    return remembered;
  }

  @Nullable UUID id() {
    return remembered == null ? null : remembered.id();
  }

  /** The same, of a partition that is known. */
  UUID knownId() {
    return Objects.requireNonNull(id(), "pushed by name");
  }

  /** Up to where the ids were compared in memory. */
  long known() {
    return known;
  }

  /** For how long a window that comparison was complete. */
  int knownWindow() {
    return knownWindow;
  }

  /** Whether the store relied on that comparison; it says the same in {@code push_v1}. */
  boolean reliedOn(long nextOffset, int window) {
    return known >= 0
        && known <= nextOffset
        && (knownWindow == RememberedPartition.EVERYTHING || (window > 0 && knownWindow >= window));
  }

  /** Where the partition ends as far as is known: the offset of the next message. */
  long end() {
    return end;
  }

  /** The queue's window when it was last heard of. */
  int window() {
    return window;
  }

  /**
   * Whether what is known decides what the store would: the partition's end, and which ids lie
   * below it. To be asked once: for a while after a miss the answer is no.
   */
  boolean isCertain() {
    return remembered != null
        && end != RememberedPartition.NOTHING
        && (window == 0 || (known == end && reliedOn(end, window)))
        && remembered.isTurnOfPlain();
  }

  /** Positions in the caller's list. */
  Positions members() {
    return members;
  }

  List<InBatchDuplicate> inBatchDuplicates() {
    return inBatchDuplicates;
  }

  Positions deferred() {
    return deferred;
  }

  /** Whether an id is sent twice. */
  boolean repeats() {
    return repeats;
  }

  /** Makes room for messages that follow. */
  void reserve(int more) {
    members.reserve(more);
    seen.reserve(more);
  }

  void add(int index, long hash, List<Message> messages) {
    if (!deferred.isEmpty()) {
      deferred.add(index);
      return;
    }
    int first = firstOccurrence(index, hash, messages);
    if (first == NONE || onRepeat == Repeats.SEND) {
      repeats |= first != NONE;
      members.add(index);
    } else if (onRepeat == Repeats.ECHO) {
      inBatchDuplicates.add(new InBatchDuplicate(index, first));
    } else {
      deferred.add(index);
    }
  }

  private int firstOccurrence(int index, long hash, List<Message> messages) {
    sought = messages.get(index).transactionId();
    searched = messages;
    found = NONE;
    seen.find(hash, compare);
    if (found == NONE) {
      seen.add(hash, index);
    }
    return found;
  }

  private void compare(long earlier) {
    if (searched.get((int) earlier).transactionId().equals(sought)) {
      found = (int) earlier;
    }
  }
}
