package dev.queenmq.server.sharedstate;

import dev.queenmq.server.sharedstate.SyncMessage.PresencePart;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The queues that this broker has consumers of: those with a waiting poll now or a short time ago.
 * Thread-safe.
 *
 * <p>The epoch is advanced after the list has changed. So a reader that takes the epoch first and
 * then the list has at least all the changes of that epoch, and a list that is sent under an epoch
 * is valid until the next one. Two changes of one queue that cross may be numbered in the wrong
 * order; the list of the later epoch puts that right.
 */
final class LocalConsumers {

  /**
   * Polls of one queue.
   *
   * @param waiting how many
   * @param idleSince if there are none
   */
  private record Polls(int waiting, long idleSince) {}

  private record Announced(long epoch, List<PresencePart> parts) {}

  private final Map<String, Polls> queues = new ConcurrentHashMap<>();
  private final AtomicLong epoch = new AtomicLong();
  private final LongSupplier clock;
  private final long lingerMillis;
  private volatile @Nullable Announced announced;

  LocalConsumers(LongSupplier clock, long lingerMillis) {
    this.clock = clock;
    this.lingerMillis = lingerMillis;
  }

  /**
   * A poll begins to wait.
   *
   * @return whether it is the first of its queue
   */
  boolean began(String queue) {
    boolean[] first = new boolean[1];
    queues.compute(
        queue,
        (name, polls) -> {
          first[0] = polls == null;
          return new Polls(polls == null ? 1 : polls.waiting + 1, 0);
        });
    return first[0];
  }

  /** A poll waits no more; its queue stays listed for a while, since consumers poll in a loop. */
  void ended(String queue) {
    queues.computeIfPresent(
        queue,
        (name, polls) ->
            polls.waiting > 1
                ? new Polls(polls.waiting - 1, 0)
                : new Polls(0, polls.waiting == 1 ? clock.getAsLong() : polls.idleSince));
  }

  /** Removes and returns the queues without a recent poll. */
  List<String> expire() {
    long now = clock.getAsLong();
    List<String> gone = new ArrayList<>();
    queues.forEach(
        (queue, polls) -> {
          if (polls.waiting == 0
              && now - polls.idleSince >= lingerMillis
              && queues.remove(queue, polls)) {
            gone.add(queue);
          }
        });
    return gone;
  }

  /** The number of a change that has just been made. */
  long nextEpoch() {
    return epoch.incrementAndGet();
  }

  /** The list as it is now, in parts that fit into a packet. */
  List<PresencePart> parts() {
    long now = epoch.get();
    Announced last = announced;
    if (last == null || last.epoch != now) {
      last = new Announced(now, cut(now));
      announced = last;
    }
    return last.parts;
  }

  private List<PresencePart> cut(long now) {
    List<List<String>> pieces =
        SyncMessageCodec.presenceParts(queues.keySet().stream().sorted().toList());
    if (pieces.size() > SyncMessageCodec.MAX_PRESENCE_PARTS) {
      return List.of(new PresencePart(now, 0, 0, List.of()));
    }
    List<PresencePart> parts = new ArrayList<>();
    for (List<String> piece : pieces) {
      parts.add(new PresencePart(now, parts.size(), pieces.size(), piece));
    }
    return List.copyOf(parts);
  }

  int size() {
    return queues.size();
  }
}
