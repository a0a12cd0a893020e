package dev.queenmq.server.sharedstate;

import dev.queenmq.server.sharedstate.SyncMessage.PresencePart;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which queues one other broker has consumers of, in one session of it. Thread-safe. */
final class PeerConsumers {

  /** The latest report about a queue. */
  private record Mark(long epoch, boolean present) {}

  /** Parts of a list that have come so far. */
  private record Assembly(long epoch, int parts, Map<Integer, PresencePart> come) {}

  private final Map<String, Mark> marks = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable Assembly> assembly = new AtomicReference<>();
  private volatile boolean complete;

  /** Whether it has consumers of a queue; unknown until its whole list has been heard. */
  boolean mayConsume(String queue) {
    if (!complete) {
      return true;
    }
    Mark mark = marks.get(queue);
    return mark != null && mark.present;
  }

  void mark(String queue, long epoch, boolean present) {
    marks.merge(queue, new Mark(epoch, present), (old, now) -> now.epoch > old.epoch ? now : old);
  }

  void part(PresencePart part) {
    if (part.parts() == 0) {
      complete = false;
      return;
    }
    Assembly now = assembly.updateAndGet(last -> with(last, part));
    if (now != null && now.epoch == part.epoch() && now.come.size() == now.parts) {
      list(now.epoch, now.come.values());
    }
  }

  private static Assembly with(@Nullable Assembly last, PresencePart part) {
    if (last != null && last.epoch > part.epoch()) {
      return last;
    }
    if (last == null || last.epoch != part.epoch() || last.parts != part.parts()) {
      return new Assembly(part.epoch(), part.parts(), Map.of(part.part(), part));
    }
    if (last.come.containsKey(part.part())) {
      return last;
    }
    Map<Integer, PresencePart> come = new HashMap<>(last.come);
    come.put(part.part(), part);
    return new Assembly(last.epoch, last.parts, Map.copyOf(come));
  }

  /** The whole list as of an epoch: later reports stay, all earlier ones are dropped. */
  private void list(long epoch, Collection<PresencePart> parts) {
    Set<String> queues =
        parts.stream().flatMap(part -> part.queues().stream()).collect(Collectors.toSet());
    Mark present = new Mark(epoch, true);
    queues.forEach(
        queue -> marks.merge(queue, present, (old, now) -> old.epoch > epoch ? old : now));
    marks
        .entrySet()
        .removeIf(mark -> mark.getValue().epoch <= epoch && !queues.contains(mark.getKey()));
    complete = true;
  }

  Set<String> queues() {
    return marks.entrySet().stream()
        .filter(mark -> mark.getValue().present)
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }
}
