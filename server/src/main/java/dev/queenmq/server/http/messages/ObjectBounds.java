package dev.queenmq.server.http.messages;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.queenmq.server.broker.StoredObjects;
import dev.queenmq.server.broker.StoredObjects.Presence;
import dev.queenmq.server.config.BoundsConfig;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.PartitionName;
import dev.queenmq.server.model.PollTarget;
import dev.queenmq.server.model.Problem;
import dev.queenmq.server.model.PushOutcome;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds the numbers of queues, partitions and groups that clients create. Safe for any event loop;
 * one for all routes of a broker.
 *
 * <p>PostgreSQL has the exact numbers, but is not asked for each request. The broker knows how many
 * objects there were at the last count and adds what it has created since: a message at offset 0 is
 * the first of a new partition. While there is room for all that a request could create, the
 * request passes, and costs a comparison. Only if there is not enough room, PostgreSQL is asked
 * which of the names exist, and new names beyond the bound are rejected. Existing names are never
 * rejected.
 *
 * <p>A count is made at most every {@value #COUNT_SECONDS} seconds, and only after something was
 * created. So other brokers, and requests at the same time, can exceed a bound by what they create
 * in between. If PostgreSQL cannot be asked, requests pass: what is pushed then goes to the spool.
 */
public final class ObjectBounds {
  private static final Logger LOG = LoggerFactory.getLogger(ObjectBounds.class);
  static final int COUNT_SECONDS = 10;
  private static final int CONFLICT = 409;
  private static final int MOST_REMEMBERED = 100_000;
  private static final int MOST_TOKENS = 10_000;

  /** How long a queue that was deleted may be created again by a push. */
  private static final Duration QUEUE_KNOWN_FOR = Duration.ofSeconds(2);

  private static final Duration HOUR = Duration.ofHours(1);

  /** What a token has created in its hour. */
  private static final class Created {
    final AtomicLong queues = new AtomicLong();
    final AtomicLong partitions = new AtomicLong();
    final AtomicLong groups = new AtomicLong();
  }

  private record GroupKey(String place, String group) {}

  private final BoundsConfig limits;
  private final StoredObjects objects;
  private final LongSupplier nanoTime;
  private final Created all = new Created();
  private final AtomicBoolean counting = new AtomicBoolean();
  private final AtomicBoolean changed = new AtomicBoolean(true);
  private final AtomicLong countedAt;
  private final Cache<String, Created> tokens =
      Caffeine.newBuilder().maximumSize(MOST_TOKENS).expireAfterWrite(HOUR).build();
  private final Cache<String, Boolean> queues =
      Caffeine.newBuilder().maximumSize(MOST_REMEMBERED).expireAfterWrite(QUEUE_KNOWN_FOR).build();

  /** Those that were counted as new, or need not be. */
  private final Cache<String, Boolean> countedQueues =
      Caffeine.newBuilder().maximumSize(MOST_REMEMBERED).expireAfterAccess(HOUR).build();

  private final Cache<GroupKey, Boolean> groups =
      Caffeine.newBuilder().maximumSize(MOST_REMEMBERED).expireAfterAccess(HOUR).build();

  /**
   * Nothing counted yet.
   *
   * @param nanoTime as {@link System#nanoTime} counts
   */
  public ObjectBounds(BoundsConfig limits, StoredObjects objects, LongSupplier nanoTime) {
    this.limits = limits;
    this.objects = objects;
    this.nanoTime = nanoTime;
    countedAt = new AtomicLong(nanoTime.getAsLong() - Duration.ofSeconds(COUNT_SECONDS).toNanos());
  }

  /** Of a broker that has not reached PostgreSQL yet: no bounds. */
  public static ObjectBounds none() {
    // Without bounds it does not matter when it counted last.
    return new ObjectBounds(new BoundsConfig(true, 0, 0, 0, 0, 0, 0), new NoObjects(), () -> 0);
  }

  /** Forgets what was there, and counts again soon: another server takes the writes. */
  public void startOver() {
    queues.invalidateAll();
    countedQueues.invalidateAll();
    groups.invalidateAll();
    countedAt.set(nanoTime.getAsLong() - Duration.ofSeconds(COUNT_SECONDS).toNanos());
    changed.set(true);
  }

  /** Pushes what may be pushed; the outcome of the rest is that it is rejected. */
  Future<List<PushOutcome>> push(
      List<Message> messages,
      @Nullable String subject,
      Function<List<Message>, Future<List<PushOutcome>>> broker) {
    if (hasRoom(messages.size(), subject) && (limits.pushCreatesQueues() || areKnown(messages))) {
      return broker.apply(messages).onSuccess(done -> note(messages, done, subject));
    }
    return refused(messages, subject)
        .compose(
            refused -> {
              if (refused.isEmpty()) {
                return broker.apply(messages).onSuccess(done -> note(messages, done, subject));
              }
              List<Message> rest = new ArrayList<>();
              for (Message message : messages) {
                if (!refused.containsKey(name(message))) {
                  rest.add(message);
                }
              }
              Future<List<PushOutcome>> pushed =
                  rest.isEmpty()
                      ? Future.succeededFuture(List.of())
                      : broker.apply(rest).onSuccess(done -> note(rest, done, subject));
              return pushed.map(done -> merged(messages, refused, done));
            });
  }

  /** Fails unless all of these may be pushed: for what happens wholly or not at all. */
  public Future<Void> check(List<Message> messages, @Nullable String subject) {
    if (messages.isEmpty()) {
      return Future.succeededFuture();
    }
    changed.set(true);
    if (hasRoom(messages.size(), subject) && (limits.pushCreatesQueues() || areKnown(messages))) {
      return Future.succeededFuture();
    }
    return refused(messages, subject)
        .compose(
            refused ->
                refused.isEmpty()
                    ? Future.succeededFuture()
                    : Future.failedFuture(
                        new HttpProblem(CONFLICT, refused.values().iterator().next().text())));
  }

  /** Fails unless a queue exists or may be created by an operator. */
  Future<Void> checkQueue(String queue, @Nullable String subject) {
    if (hasRoom(1, subject)) {
      if (isFirstSeen(queue)) {
        created(subject, 1, 1);
      }
      return Future.succeededFuture();
    }
    return objects
        .presence(List.of(new PartitionName(queue, "Default")))
        .otherwise(List.of(new Presence(true, true)))
        .compose(
            found ->
                found.get(0).queue()
                    ? Future.succeededFuture()
                    : Future.failedFuture(new HttpProblem(CONFLICT, queueProblem(subject).text())));
  }

  /**
   * Whether a group may poll. A first poll leaves a subscription behind, also if the queue does not
   * exist.
   *
   * @return null if it may; otherwise what has to be waited for, which fails if it may not
   */
  @Nullable Future<Void> group(PollTarget target, String group, Optional<String> subject) {
    if (group.equals(AckDraft.QUEUE_MODE)) {
      return null;
    }
    GroupKey key = new GroupKey(place(target), group);
    if (groups.getIfPresent(key) != null) {
      return null;
    }
    @Nullable Created token = token(subject.orElse(null));
    count();
    if (isBelow(limits.groups(), all.groups, 1)
        && (token == null || isBelow(limits.tokenGroups(), token.groups, 1))) {
      groups.put(key, true);
      all.groups.incrementAndGet();
      if (token != null) {
        token.groups.incrementAndGet();
      }
      changed.set(true);
      return null;
    }
    return objects
        .hasGroup(queue(target), partition(target), group)
        .otherwise(true)
        .compose(
            has -> {
              if (!has) {
                return Future.failedFuture(new HttpProblem(CONFLICT, groupProblem().text()));
              }
              groups.put(key, true);
              return Future.succeededFuture();
            });
  }

  /** Something was deleted: the next request counts again. */
  void deleted(String queue) {
    queues.invalidate(queue);
    countedQueues.invalidate(queue);
    changed.set(true);
    countedAt.addAndGet(-Duration.ofSeconds(COUNT_SECONDS).toNanos());
  }

  private static String place(PollTarget target) {
    if (target instanceof PollTarget.Queue queue) {
      return queue.queue();
    } else if (target instanceof PollTarget.Partition partition) {
      return partition.queue() + '\0' + partition.partition();
    }
    PollTarget.Label label = (PollTarget.Label) target;
    return '\0' + label.namespace().orElse("") + '\0' + label.task().orElse("");
  }

  private static Optional<String> queue(PollTarget target) {
    if (target instanceof PollTarget.Queue queue) {
      return Optional.of(queue.queue());
    }
    return target instanceof PollTarget.Partition partition
        ? Optional.of(partition.queue())
        : Optional.empty();
  }

  private static Optional<String> partition(PollTarget target) {
    return target instanceof PollTarget.Partition partition
        ? Optional.of(partition.partition())
        : Optional.empty();
  }

  private @Nullable Created token(@Nullable String subject) {
    return subject == null ? null : tokens.get(subject, unknown -> new Created());
  }

  private static boolean isBelow(int limit, AtomicLong count, int more) {
    return limit == 0 || count.get() + more <= limit;
  }

  /** Room for as many partitions as there are messages, each in a queue of its own. */
  private boolean hasRoom(int messages, @Nullable String subject) {
    count();
    if (!isBelow(limits.queues(), all.queues, messages)
        || !isBelow(limits.partitions(), all.partitions, messages)) {
      return false;
    }
    @Nullable Created token = subject == null ? null : tokens.getIfPresent(subject);
    if (token == null) {
      return (limits.tokenQueues() == 0 || messages <= limits.tokenQueues())
          && (limits.tokenPartitions() == 0 || messages <= limits.tokenPartitions());
    }
    return isBelow(limits.tokenQueues(), token.queues, messages)
        && isBelow(limits.tokenPartitions(), token.partitions, messages);
  }

  private boolean areKnown(List<Message> messages) {
    @Nullable String last = null;
    for (Message message : messages) {
      if (!message.queue().equals(last)) {
        last = message.queue();
        if (queues.getIfPresent(last) == null) {
          return false;
        }
      }
    }
    return true;
  }

  /** The names that do not exist and may not be created. */
  private Future<Map<PartitionName, Problem>> refused(
      List<Message> messages, @Nullable String subject) {
    Set<PartitionName> distinct = new LinkedHashSet<>();
    messages.forEach(message -> distinct.add(name(message)));
    List<PartitionName> names = List.copyOf(distinct);
    return objects
        .presence(names)
        .map(found -> refused(names, found, subject))
        .otherwise(
            failure -> {
              LOG.debug("cannot ask what exists", failure);
              return Map.of();
            });
  }

  private Map<PartitionName, Problem> refused(
      List<PartitionName> names, List<Presence> found, @Nullable String subject) {
    Map<PartitionName, Problem> refused = new HashMap<>();
    Set<String> newQueues = new HashSet<>();
    int newPartitions = 0;
    @Nullable Created token = token(subject);
    for (int i = 0; i < names.size(); i++) {
      PartitionName name = names.get(i);
      if (found.get(i).queue()) {
        queues.put(name.queue(), true);
        countedQueues.put(name.queue(), true);
      }
      if (found.get(i).partition()) {
        continue;
      }
      boolean isNewQueue = !found.get(i).queue() && !newQueues.contains(name.queue());
      if (!found.get(i).queue() && !limits.pushCreatesQueues()) {
        refused.put(
            name,
            new Problem(
                "The queue does not exist, and a push does not create it"
                    + " (QUEEN_PUSH_CREATES_QUEUES)"));
      } else if (isNewQueue
          && (!isBelow(limits.queues(), all.queues, newQueues.size() + 1)
              || (token != null
                  && !isBelow(limits.tokenQueues(), token.queues, newQueues.size() + 1)))) {
        refused.put(name, queueProblem(subject));
      } else if (!isBelow(limits.partitions(), all.partitions, newPartitions + 1)
          || (token != null
              && !isBelow(limits.tokenPartitions(), token.partitions, newPartitions + 1))) {
        refused.put(name, new Problem("There are as many partitions as there may be"));
      } else {
        newPartitions++;
        if (isNewQueue) {
          newQueues.add(name.queue());
        }
      }
    }
    return refused;
  }

  private Problem queueProblem(@Nullable String subject) {
    @Nullable Created token = token(subject);
    return token != null && !isBelow(limits.tokenQueues(), token.queues, 1)
        ? new Problem("The token has created as many queues as it may in an hour")
        : new Problem("There are as many queues as there may be");
  }

  private static Problem groupProblem() {
    return new Problem("There are as many subscriptions of groups as there may be");
  }

  private static List<PushOutcome> merged(
      List<Message> messages, Map<PartitionName, Problem> refused, List<PushOutcome> pushed) {
    List<PushOutcome> outcomes = new ArrayList<>(messages.size());
    int next = 0;
    for (Message message : messages) {
      @Nullable Problem problem = refused.get(name(message));
      outcomes.add(problem == null ? pushed.get(next++) : new PushOutcome.Rejected(problem));
    }
    return outcomes;
  }

  private static PartitionName name(Message message) {
    return PartitionName.of(message);
  }

  /** Offset 0 is the first of a partition. Of a queue it may not be; the next count says. */
  private void note(List<Message> messages, List<PushOutcome> outcomes, @Nullable String subject) {
    int newPartitions = 0;
    int newQueues = 0;
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) instanceof PushOutcome.Queued queued && queued.offset() == 0) {
        newPartitions++;
        newQueues += isFirstSeen(messages.get(i).queue()) ? 1 : 0;
      }
    }
    if (newPartitions > 0) {
      created(subject, newQueues, newPartitions);
    }
  }

  private boolean isFirstSeen(String queue) {
    if (countedQueues.getIfPresent(queue) != null) {
      return false;
    }
    countedQueues.put(queue, true);
    return true;
  }

  private void created(@Nullable String subject, int newQueues, int newPartitions) {
    changed.set(true);
    all.queues.addAndGet(newQueues);
    all.partitions.addAndGet(newPartitions);
    @Nullable Created token = token(subject);
    if (token != null) {
      token.queues.addAndGet(newQueues);
      token.partitions.addAndGet(newPartitions);
    }
  }

  /** Counts in the background, if something has changed and the last count is old. */
  private void count() {
    if (!changed.get()
        || nanoTime.getAsLong() - countedAt.get() < Duration.ofSeconds(COUNT_SECONDS).toNanos()
        || !counting.compareAndSet(false, true)) {
      return;
    }
    changed.set(false);
    countedAt.set(nanoTime.getAsLong());
    objects
        .counts()
        .onSuccess(
            counts -> {
              all.queues.set(counts.queues());
              all.partitions.set(counts.partitions());
              all.groups.set(counts.groups());
            })
        .onFailure(
            failure -> {
              changed.set(true);
              LOG.debug("cannot count objects", failure);
            })
        .onComplete(done -> counting.set(false));
  }

  private static final class NoObjects implements StoredObjects {
    private static final String UNKNOWN = "PostgreSQL was not reached yet";

    @Override
    public Future<Counts> counts() {
      return Future.failedFuture(UNKNOWN);
    }

    @Override
    public Future<List<Presence>> presence(List<PartitionName> names) {
      return Future.failedFuture(UNKNOWN);
    }

    @Override
    public Future<Boolean> hasGroup(
        Optional<String> queue, Optional<String> partition, String group) {
      return Future.failedFuture(UNKNOWN);
    }
  }
}
