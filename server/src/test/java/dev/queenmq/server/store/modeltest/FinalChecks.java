package dev.queenmq.server.store.modeltest;

import static dev.queenmq.server.testing.Await.await;

import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.StoredMessage;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.model.admin.PopPause;
import dev.queenmq.server.model.admin.QueueConfiguration;
import dev.queenmq.server.model.admin.QueueOptions;
import dev.queenmq.server.model.polling.ReadyPartition;
import dev.queenmq.server.store.TailWatch;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What must hold when a sequence has ended: the stored state, the hints, and what is left to read.
 */
final class FinalChecks {
  static final List<String> QUEUES = List.of("a", "b.c", "never");
  private static final List<String> GROUPS = List.of("g", "h", PopRequest.QUEUE_MODE);
  private static final int SMALL_PAGE = 3;
  private static final int LARGE_PAGE = 100;
  private static final int DRAIN_NUMBER = 1_000_000;

  /** A cursor as the model and the table have it. */
  record CursorState(long committed, Set<Long> acked) {}

  private record Reader(String queue, String partition, String group) {}

  private final ModelStore model;
  private final RealStore real;
  private final Translation names;
  private final TailWatch tail;
  private final StoredState stored;

  FinalChecks(ModelStore model, RealStore real, Translation names, TailWatch tail) {
    this.model = model;
    this.real = real;
    this.names = names;
    this.tail = tail;
    stored = new StoredState(model, real, names);
  }

  /** The first difference, after a number of steps. Empties the queues and deletes them. */
  Optional<Difference> run(int steps) {
    List<Supplier<Optional<Difference>>> checks =
        List.of(
            () -> compare(steps, "the partitions", partitions(), stored.partitions()),
            () -> compare(steps, "the messages", messages(), stored.messages()),
            () -> compare(steps, "the cursors", cursors(), stored.cursors()),
            () -> compare(steps, "the dead letters", deadLetters(), stored.deadLetters()),
            () -> compare(steps, "what reconcile finds", ready(), reconciled(SMALL_PAGE)),
            () -> compare(steps, "partitions that the tail feed kept back", Set.of(), untold()),
            () -> drain(steps),
            () ->
                compare(steps, "what reconcile finds at the end", ready(), reconciled(LARGE_PAGE)),
            () -> delete(steps));
    return checks.stream().flatMap(check -> check.get().stream()).findFirst();
  }

  private static Optional<Difference> compare(
      int step, String what, Object expected, Object actual) {
    return expected.equals(actual)
        ? Optional.empty()
        : Optional.of(Difference.at(step, what, expected, actual));
  }

  private Map<String, List<Long>> partitions() {
    Map<String, List<Long>> partitions = new TreeMap<>();
    for (ModelPartition partition : model.state().partitions()) {
      partitions.put(
          partition.queue + "/" + partition.name, List.of(partition.first, partition.next()));
    }
    return partitions;
  }

  private Map<String, List<String>> messages() {
    Map<String, List<String>> messages = new TreeMap<>();
    for (ModelPartition partition : model.state().partitions()) {
      for (ModelMessage message : partition.stored()) {
        messages
            .computeIfAbsent(partition.queue + "/" + partition.name, name -> new ArrayList<>())
            .add(
                content(
                    message.offset(),
                    message.message().id(),
                    message.isWiped() ? null : message.message().transactionId(),
                    message.message().payload()));
      }
    }
    return messages;
  }

  static String content(long offset, UUID id, @Nullable String transactionId, String payload) {
    return offset + " " + id + " " + transactionId + " " + payload;
  }

  private Map<String, CursorState> cursors() {
    Map<String, CursorState> cursors = new TreeMap<>();
    for (ModelPartition partition : model.state().partitions()) {
      partition.cursors.forEach(
          (group, cursor) ->
              cursors.put(
                  partition.queue + "/" + partition.name + "/" + group,
                  new CursorState(cursor.committed, new TreeSet<>(cursor.acked))));
    }
    return cursors;
  }

  private Map<String, ModelDeadLetter> deadLetters() {
    Map<String, ModelDeadLetter> letters = new TreeMap<>();
    model.state().deadLetters.values().forEach(l -> letters.put(l.key().toString(), l));
    return letters;
  }

  private Map<String, List<ReadyPartition>> ready() {
    Map<String, List<ReadyPartition>> all = new TreeMap<>();
    for (String queue : model.state().queues.keySet()) {
      for (String group : GROUPS) {
        all.put(queue + " " + group, sorted(new ModelAdmin(model.state()).ready(queue, group)));
      }
    }
    return all;
  }

  private Map<String, List<ReadyPartition>> reconciled(int page) {
    Map<String, Future<List<ReadyPartition>>> all = new TreeMap<>();
    for (String queue : model.state().queues.keySet()) {
      for (String group : GROUPS) {
        all.put(
            queue + " " + group,
            pages(names.realQueue(queue), names.realGroup(group), page, Optional.empty()));
      }
    }
    Map<String, List<ReadyPartition>> result = new TreeMap<>();
    all.forEach((key, ready) -> result.put(key, sorted(await(ready))));
    return result;
  }

  private Future<List<ReadyPartition>> pages(
      String queue, String group, int size, Optional<String> after) {
    return real.store(1)
        .reconcile(queue, group, after, size)
        .compose(
            page -> {
              List<ReadyPartition> ready =
                  new ArrayList<>(page.ready().stream().map(this::inModelWords).toList());
              return page.next().isEmpty()
                  ? Future.succeededFuture(ready)
                  : pages(queue, group, size, page.next())
                      .map(
                          rest -> {
                            ready.addAll(rest);
                            return ready;
                          });
            });
  }

  private ReadyPartition inModelWords(ReadyPartition ready) {
    return new ReadyPartition(
        names.model(ready.partitionId()), ready.backlog(), ready.waitingSince(), ready.freeAt());
  }

  private static List<ReadyPartition> sorted(List<ReadyPartition> ready) {
    return ready.stream().sorted(Comparator.comparing(ReadyPartition::partitionId)).toList();
  }

  private Set<UUID> untold() {
    Set<UUID> appended = new HashSet<>();
    Set<UUID> empty = new HashSet<>();
    for (ModelPartition partition : model.state().partitions()) {
      (partition.next() > 0 ? appended : empty).add(names.real(partition.id));
    }
    Set<UUID> wrong = tail.untold(appended);
    empty.stream().filter(tail::told).forEach(wrong::add);
    tail.forget();
    return wrong;
  }

  /** Long after, everything that is not done is delivered, in order, and nothing else. */
  private Optional<Difference> drain(int steps) {
    Answers answers = new Answers(names);
    Step everlasting = new Step.Configure(0, everlasting());
    answers.translate(model.take(everlasting), real.take(everlasting));
    model
        .state()
        .queues
        .forEach(
            (name, queue) ->
                List.copyOf(queue.pauses.keySet())
                    .forEach(
                        group -> {
                          Step resume =
                              new Step.Pause(0, new PopPause(name, group, false, Optional.empty()));
                          model.take(resume);
                          real.take(resume);
                        }));
    Step.Pass longAfter = new Step.Pass(Duration.ofDays(400));
    model.take(longAfter);
    real.take(longAfter);
    Map<Reader, List<Long>> open = open();
    Map<Reader, List<Long>> delivered = new LinkedHashMap<>();
    open.keySet().forEach(reader -> delivered.put(reader, new ArrayList<>()));
    for (int round = 0; ; round++) {
      Step pop = new Step.Pop(round % 2, DRAIN_NUMBER + round, requests(delivered.keySet()));
      List<?> expected = (List<?>) model.take(pop);
      Object actual = answers.translate(expected, real.take(pop));
      if (!expected.equals(actual)) {
        return Optional.of(
            Difference.at(steps, "round " + round + " of emptying the queues", expected, actual));
      }
      if (!collect((List<?>) actual, delivered)) {
        break;
      }
    }
    Set<ModelDeadLetter.Key> known = model.state().deadLetters.keySet();
    open.forEach(
        (reader, offsets) ->
            offsets.removeIf(
                offset ->
                    !delivered.getOrDefault(reader, List.of()).contains(offset)
                        && known.contains(
                            new ModelDeadLetter.Key(
                                reader.queue, reader.partition, reader.group, offset))));
    return compare(steps, "what was left to read", open, delivered)
        .or(
            () ->
                compare(steps, "the dead letters at the end", deadLetters(), stored.deadLetters()));
  }

  /** The queues keep their messages for ever. */
  private List<QueueConfiguration> everlasting() {
    QueueOptions noTtl = QueueOptions.of(new JsonObject().put("ttl", 0));
    return model.state().queues.keySet().stream()
        .map(
            queue -> new QueueConfiguration(queue, Optional.empty(), Optional.empty(), noTtl, true))
        .toList();
  }

  private Map<Reader, List<Long>> open() {
    Map<Reader, List<Long>> open = new LinkedHashMap<>();
    for (ModelPartition partition : model.state().partitions()) {
      for (String group : GROUPS) {
        ModelCursor cursor =
            Optional.ofNullable(partition.cursors.get(group))
                .orElseGet(() -> partition.newCursor(group, model.state().start(partition, group)));
        open.put(
            new Reader(partition.queue, partition.name, group),
            new ArrayList<>(partition.open(cursor).stream().map(ModelMessage::offset).toList()));
      }
    }
    return open;
  }

  private static List<PopRequest> requests(Set<Reader> readers) {
    return readers.stream()
        .map(
            reader ->
                new PopRequest(
                    new PopTarget.Named(reader.queue, reader.partition),
                    reader.group,
                    1000,
                    1,
                    true,
                    new Subscription.All()))
        .toList();
  }

  /** Adds what was delivered to whom; whether there was anything. */
  private static boolean collect(List<?> outcomes, Map<Reader, List<Long>> delivered) {
    boolean any = false;
    List<List<Long>> readers = List.copyOf(delivered.values());
    for (int i = 0; i < outcomes.size(); i++) {
      for (PartitionBatch batch : ((PopOutcome.Served) outcomes.get(i)).batches()) {
        any = true;
        for (StoredMessage message : batch.messages()) {
          readers.get(i).add(message.offset());
        }
      }
    }
    return any;
  }

  private Optional<Difference> delete(int steps) {
    UUID[] ids = stored.partitionIds();
    Step.Delete delete = new Step.Delete(1, QUEUES);
    Object expected = model.take(delete);
    Object actual = real.take(delete);
    Map<String, Long> leftovers = new HashMap<>();
    for (Row row : real.query(LEFTOVERS, ids)) {
      if (row.getLong(1) > 0) {
        leftovers.put(row.getString(0), row.getLong(1));
      }
    }
    return compare(steps, "whether the queues existed", expected, actual)
        .or(() -> compare(steps, "rows left after the delete", Map.of(), leftovers));
  }

  private static final String LEFTOVERS =
      Stream.of("segments", "cursors", "attempts", "dead_letters", "hidden")
          .map(
              table ->
                  "select '"
                      + table
                      + "', count(*) from queen."
                      + table
                      + " where shard = 0 and partition_id = any ($1)")
          .reduce((one, other) -> one + " union all " + other)
          .orElseThrow();
}
