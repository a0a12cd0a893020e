package dev.queenmq.server.store;

import dev.queenmq.server.encryption.PayloadForm;
import dev.queenmq.server.memory.AnswerMemory;
import dev.queenmq.server.memory.AnswerMemory.Room;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Leases messages. Requests with one candidate each are one plain statement ({@link PlainPop}).
 * What that does not serve, and all other requests, go to {@code pop_v1}.
 */
final class PopProcedure {
  private static final String SQL =
      "select * from queen.pop_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,"
          + " $15, $16, $17)";
  private static final String FIRST_CONTACT =
      "select queen.first_contact_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,"
          + " $14)";
  private static final String MESSAGES = "messages";
  private static final String CONTACT = "contact";
  private static final String LARGE = "large";

  /** A request for which there is no memory is asked again after this long. */
  private static final Duration NO_MEMORY_PAUSE = Duration.ofMillis(100);

  /** Bytes that a message takes in an answer beside its payload, as {@code fitting_v1} counts. */
  private static final int FIELDS_BYTES = 512;

  /** More than one first contact for a call means that somebody deletes as we pop. */
  private static final int MAX_ROUNDS = 10;

  /**
   * A request whose messages did not fit into the room that there was.
   *
   * @param request its place among the requests
   * @param all bytes of everything that it would get
   * @param first bytes of the first segment
   * @param now what the clock of the database showed
   */
  private record Large(int request, UUID partitionId, long all, long first, Instant now) {}

  /** What the rows of a call said, beside messages. */
  private static final class Reading {
    /** Whether there are messages that are sealed, had to be, or are leased as if. */
    boolean sealed;

    final List<Large> large = new ArrayList<>(0);

    /** Requests whose cursor or queue is not one for a plain statement. */
    final Set<Integer> unusual = new HashSet<>(0);
  }

  private final StoreClient client;
  private final Opening opening;
  private final LostPops lostPops;
  private final AnswerMemory memory;
  private final LeaseMemory leases;
  private final short shard;
  private final boolean plain;
  private final PopMisses misses = new PopMisses();

  PopProcedure(
      StoreClient client,
      Opening opening,
      LostPops lostPops,
      AnswerMemory memory,
      LeaseMemory leases,
      StoreOptions options) {
    this.client = client;
    this.opening = opening;
    this.lostPops = lostPops;
    this.memory = memory;
    this.leases = leases;
    shard = options.shard();
    plain = options.plainStatements();
  }

  Future<List<PopOutcome>> pop(List<PopRequest> requests) {
    return lostPops.isEmpty()
        ? popNow(requests)
        : lostPops.recover().compose(recovered -> popNow(requests));
  }

  private Future<List<PopOutcome>> popNow(List<PopRequest> requests) {
    @Nullable PopOutcome[] outcomes = new PopOutcome[requests.size()];
    List<Integer> sent = new ArrayList<>(requests.size());
    for (int i = 0; i < requests.size(); i++) {
      Optional<Problem> problem = InputRules.pop(requests.get(i));
      if (problem.isPresent()) {
        outcomes[i] = new PopOutcome.Rejected(problem.get());
      } else {
        outcomes[i] = new PopOutcome.Served(new ArrayList<>(), new ArrayList<>());
        sent.add(i);
      }
    }
    if (sent.isEmpty()) {
      return Future.succeededFuture(Outcomes.complete(outcomes));
    }
    Reading reading = new Reading();
    Room room = memory.usual();
    return first(requests, sent, room.bytes(), outcomes, reading)
        .onFailure(failure -> room.release())
        .compose(
            read -> {
              memory.used(hold(room, sent, outcomes));
              return large(requests, outcomes, reading);
            })
        .compose(
            all -> {
              List<PopOutcome> done = Outcomes.complete(outcomes);
              return reading.sealed
                  ? opening.open(requests, done).map(PopProcedure::withoutEmpty)
                  : Future.succeededFuture(done);
            })
        .onSuccess(done -> remember(requests, done));
  }

  private void remember(List<PopRequest> requests, List<PopOutcome> outcomes) {
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) instanceof PopOutcome.Served served) {
        leases.granted(served.batches(), requests.get(i).group());
      }
    }
  }

  /** As a plain statement if that may do, and what it leaves by the procedure. */
  private Future<Void> first(
      List<PopRequest> requests,
      List<Integer> sent,
      long bytes,
      @Nullable PopOutcome[] outcomes,
      Reading reading) {
    Optional<PlainPop> usual =
        plain ? PlainPop.of(sent.stream().map(requests::get).toList(), misses) : Optional.empty();
    return usual.isEmpty()
        ? general(requests, sent, bytes, outcomes, reading)
        : usual
            .get()
            .run(client, shard, bytes)
            .compose(
                rows -> {
                  readPlain(rows, usual.get(), requests, sent, outcomes, reading);
                  return rest(requests, sent, bytes, outcomes, reading);
                });
  }

  private Future<Void> general(
      List<PopRequest> requests,
      List<Integer> sent,
      long bytes,
      @Nullable PopOutcome[] outcomes,
      Reading reading) {
    return call(requests, sent, bytes, false)
        .map(
            rows -> {
              read(rows, requests, sent, outcomes, reading);
              return null;
            });
  }

  /** Requests that the plain statement has not served, by the procedure. */
  private Future<Void> rest(
      List<PopRequest> requests,
      List<Integer> sent,
      long bytes,
      @Nullable PopOutcome[] outcomes,
      Reading reading) {
    List<Integer> rest = new ArrayList<>(0);
    long left = bytes;
    for (int i : sent) {
      if (outcomes[i] instanceof PopOutcome.Served served && !served.batches().isEmpty()) {
        misses.found(PlainPop.cursor(requests.get(i)));
        left -= bytes(served);
      } else if (outcomes[i] instanceof PopOutcome.Served served && served.passed().isEmpty()) {
        rest.add(i);
      }
    }
    if (rest.isEmpty()) {
      return Future.succeededFuture();
    }
    Future<Void> others =
        general(requests, rest, Math.max(0, left), outcomes, reading)
            .onSuccess(done -> countMisses(requests, rest, outcomes, reading));
    // The others have their messages, and must get them.
    return rest.size() == sent.size()
        ? others
        : others.recover(failure -> askAgain(requests, rest, outcomes));
  }

  /** A group's first contact, or a cursor that was locked just then, is no miss. */
  private void countMisses(
      List<PopRequest> requests,
      List<Integer> rest,
      @Nullable PopOutcome[] outcomes,
      Reading reading) {
    for (int i : rest) {
      if (reading.unusual.contains(i)
          || (outcomes[i] instanceof PopOutcome.Served served
              && served.passed().stream()
                  .anyMatch(each -> each.reason() == Passed.Reason.STOPPED))) {
        misses.missed(PlainPop.cursor(requests.get(i)));
      }
    }
  }

  private static Future<Void> askAgain(
      List<PopRequest> requests, List<Integer> rest, @Nullable PopOutcome[] outcomes) {
    for (int i : rest) {
      if (outcomes[i] instanceof PopOutcome.Served served) {
        served.passed().add(passed(requests.get(i), Passed.Reason.BUSY, null));
      }
    }
    return Future.succeededFuture();
  }

  /** Each answer holds its part of the memory from now on. Answers the bytes of all of them. */
  private static long hold(Room room, List<Integer> sent, @Nullable PopOutcome[] outcomes) {
    long all = 0;
    for (int i : sent) {
      if (outcomes[i] instanceof PopOutcome.Served served && !served.batches().isEmpty()) {
        long bytes = bytes(served);
        outcomes[i] = served.holding(room.part(bytes));
        all += bytes;
      }
    }
    room.release();
    return all;
  }

  private static long bytes(PopOutcome.Served served) {
    long bytes = 0;
    for (PartitionBatch batch : served.batches()) {
      for (StoredMessage message : batch.messages()) {
        bytes += FIELDS_BYTES + message.payload().length();
      }
    }
    return bytes;
  }

  /** Messages that could not be opened are not there any more. */
  private static List<PopOutcome> withoutEmpty(List<PopOutcome> outcomes) {
    for (PopOutcome outcome : outcomes) {
      if (outcome instanceof PopOutcome.Served served && served.batches().isEmpty()) {
        served.memory().release();
      }
    }
    return outcomes;
  }

  /**
   * Asks a second time for what did not fit, with as much room as it takes, up to one full answer
   * in all: the others of the call wait for that. What is beyond, or finds no memory, is asked for
   * again in a while.
   */
  private Future<Void> large(
      List<PopRequest> requests, @Nullable PopOutcome[] outcomes, Reading reading) {
    List<Large> together = new ArrayList<>();
    long asked = 0;
    for (Large each : reading.large) {
      if (asked > 0 && asked + each.first > memory.most()) {
        later(each, outcomes);
      } else {
        asked += Math.max(each.first, Math.min(each.all, memory.most()));
        together.add(each);
      }
    }
    return together.isEmpty()
        ? Future.succeededFuture()
        : large(together, asked, requests, outcomes, reading);
  }

  private Future<Void> large(
      List<Large> together,
      long all,
      List<PopRequest> requests,
      @Nullable PopOutcome[] outcomes,
      Reading reading) {
    Optional<Room> room = memory.exact(all, together.get(0).first);
    if (room.isEmpty()) {
      together.forEach(each -> later(each, outcomes));
      return Future.succeededFuture();
    }
    List<Integer> sent = together.stream().map(Large::request).distinct().toList();
    return call(requests, sent, room.get().bytes(), true)
        .<Void>map(
            rows -> {
              Reading again = new Reading();
              for (int request : sent) {
                if (outcomes[request] instanceof PopOutcome.Served served) {
                  served.passed().clear(); // they are looked at again
                }
              }
              read(rows, requests, sent, outcomes, again);
              reading.sealed |= again.sealed;
              again.large.forEach(each -> later(each, outcomes));
              if (sent.size() == 1) {
                holdAll(room.get(), sent.get(0), outcomes);
              } else {
                memory.used(hold(room.get(), sent, outcomes));
              }
              return null;
            })
        // The others have their messages, and must get them.
        .recover(
            failure -> {
              room.get().release();
              together.forEach(each -> later(each, outcomes));
              return Future.succeededFuture();
            });
  }

  /** The memory was reserved for this answer, by what the database counted. */
  private void holdAll(Room room, int request, @Nullable PopOutcome[] outcomes) {
    if (outcomes[request] instanceof PopOutcome.Served served && !served.batches().isEmpty()) {
      memory.used(bytes(served));
      outcomes[request] = served.holding(room.reservation());
    } else {
      room.release();
    }
  }

  private static void later(Large large, @Nullable PopOutcome[] outcomes) {
    if (outcomes[large.request] instanceof PopOutcome.Served served) {
      served
          .passed()
          .add(
              new Passed(
                  Optional.of(large.partitionId),
                  Passed.Reason.PAUSED,
                  Optional.of(large.now.plus(NO_MEMORY_PAUSE))));
    }
  }

  private Future<RowSet<Row>> call(
      List<PopRequest> requests, List<Integer> sent, long bytes, boolean cut) {
    @Nullable UUID[] popIds =
        sent.stream()
            .map(i -> requests.get(i).autoAck() ? UUID.randomUUID() : null)
            .toArray(UUID[]::new);
    return call(requests, sent, popIds, bytes, cut, 1)
        .recover(Failures::<RowSet<Row>>translate)
        .onFailure(failure -> lost(failure, popIds));
  }

  /** Once, or again after a group's first contact with a partition. */
  private Future<RowSet<Row>> call(
      List<PopRequest> requests,
      List<Integer> sent,
      @Nullable UUID[] popIds,
      long bytes,
      boolean cut,
      int round) {
    return client
        .call(
            SQL,
            arguments(requests, sent)
                .addArrayOfString(holders(requests, sent))
                .addArrayOfUUID(popIds)
                .addLong(bytes)
                .addBoolean(cut))
        .compose(
            rows -> {
              Integer[] unopened = unopened(rows);
              if (unopened.length == 0) {
                return Future.succeededFuture(rows);
              }
              return round < MAX_ROUNDS
                  ? client
                      .call(FIRST_CONTACT, arguments(requests, sent).addArrayOfInteger(unopened))
                      .compose(made -> call(requests, sent, popIds, bytes, cut, round + 1))
                  : Future.failedFuture(
                      new StoreException(
                          StoreException.Kind.CONFLICT,
                          "A consumer group was deleted again and again while it popped"));
            });
  }

  /** The places of candidates whose cursors have to be made first: then there is nothing else. */
  private static Integer[] unopened(RowSet<Row> rows) {
    List<Integer> places = new ArrayList<>();
    for (Row row : rows) {
      if (!row.getString(1).equals(CONTACT)) {
        break;
      }
      places.add(Math.toIntExact(row.getLong(10)));
    }
    return places.toArray(Integer[]::new);
  }

  /** Those with autoAck may have happened, and what they took is taken back. */
  private void lost(Throwable failure, @Nullable UUID[] popIds) {
    if (failure instanceof StoreException store && store.mayHaveHappened()) {
      for (@Nullable UUID popId : popIds) {
        if (popId != null) {
          lostPops.add(popId);
        }
      }
    }
  }

  private Tuple arguments(List<PopRequest> requests, List<Integer> sent) {
    int count = sent.size();
    @Nullable String[] queues = new String[count];
    @Nullable String[] partitions = new String[count];
    String[] groups = new String[count];
    Integer[] batches = new Integer[count];
    Integer[] maxPartitions = new Integer[count];
    Boolean[] autoAcks = new Boolean[count];
    String[] modes = new String[count];
    @Nullable OffsetDateTime[] froms = new OffsetDateTime[count];
    boolean named = false;
    boolean simple = true;
    Set<CursorKey> distinct = new HashSet<>();
    List<Integer> candidateRequests = new ArrayList<>();
    List<UUID> candidateIds = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      PopRequest request = requests.get(sent.get(i));
      groups[i] = request.group();
      batches[i] = request.batch();
      maxPartitions[i] = request.maxPartitions();
      autoAcks[i] = request.autoAck();
      if (request.target() instanceof PopTarget.Named target) {
        queues[i] = target.queue();
        partitions[i] = target.partition();
        named = true;
      } else if (request.target() instanceof PopTarget.Candidates candidates) {
        queues[i] = candidates.queue().orElse(null);
        int size = candidates.partitionIds().size();
        simple &= size > 0 && size <= request.maxPartitions();
        for (UUID id : candidates.partitionIds()) {
          candidateRequests.add(i + 1);
          candidateIds.add(id);
          distinct.add(new CursorKey(id, request.group()));
        }
      }
      if (request.subscription() instanceof Subscription.After after) {
        modes[i] = "timestamp";
        froms[i] = after.moment().atOffset(ZoneOffset.UTC);
      } else {
        modes[i] = request.subscription() instanceof Subscription.New ? "new" : "all";
      }
    }
    return Tuple.of(shard)
        .addArrayOfString(queues)
        .addArrayOfString(partitions)
        .addArrayOfString(groups)
        .addArrayOfInteger(batches)
        .addArrayOfInteger(maxPartitions)
        .addArrayOfBoolean(autoAcks)
        .addArrayOfString(modes)
        .addArrayOfOffsetDateTime(froms)
        .addBoolean(named)
        .addBoolean(simple && !named && distinct.size() == candidateIds.size())
        .addArrayOfInteger(candidateRequests.toArray(Integer[]::new))
        .addArrayOfUUID(candidateIds.toArray(UUID[]::new));
  }

  private static @Nullable String[] holders(List<PopRequest> requests, List<Integer> sent) {
    @Nullable String[] holders = new String[sent.size()];
    for (int i = 0; i < holders.length; i++) {
      holders[i] = requests.get(sent.get(i)).holder().json();
    }
    return holders;
  }

  private static void read(
      RowSet<Row> rows,
      List<PopRequest> requests,
      List<Integer> sent,
      @Nullable PopOutcome[] outcomes,
      Reading reading) {
    for (Row row : rows) {
      int request = sent.get(row.getInteger(0) - 1);
      PopOutcome.Served served = (PopOutcome.Served) outcomes[request];
      if (served == null) {
        throw new IllegalStateException("an answer to a request that was not sent");
      }
      String state = row.getString(1);
      if (state.equals(MESSAGES)) {
        addMessages(
            batch(row, served.batches()).messages(),
            row,
            11,
            row.getLong(10),
            row.getOffsetDateTime(9).toInstant(),
            PayloadForm.of(row.getShort(8)),
            row.getArrayOfLongs(16));
        reading.sealed |=
            row.getShort(8) != 0 || (requests.get(request).autoAck() && row.getUUID(6) != null);
      } else if (state.equals(LARGE)) {
        reading.large.add(
            new Large(
                request,
                row.getUUID(4),
                row.getLong(10),
                row.getLong(7),
                row.getOffsetDateTime(5).toInstant()));
      } else {
        served
            .passed()
            .add(
                new Passed(
                    Optional.ofNullable(row.getUUID(4)),
                    Passed.Reason.valueOf(state.toUpperCase(Locale.ROOT)),
                    Optional.ofNullable(row.getOffsetDateTime(5)).map(OffsetDateTime::toInstant)));
      }
    }
  }

  /** Rows of a plain statement: messages that were not delivered before, or why there are none. */
  private static void readPlain(
      RowSet<Row> rows,
      PlainPop pop,
      List<PopRequest> requests,
      List<Integer> sent,
      @Nullable PopOutcome[] outcomes,
      Reading reading) {
    for (Row row : rows) {
      int place = pop.request(row);
      PopRequest request = requests.get(sent.get(place));
      PopOutcome.Served served =
          (PopOutcome.Served) Objects.requireNonNull(outcomes[sent.get(place)]);
      long end = row.getLong(4);
      long low = row.getLong(5);
      @Nullable OffsetDateTime until = row.getOffsetDateTime(3);
      if (!row.getBoolean(0)) {
        if (until != null) {
          served.passed().add(passed(request, Passed.Reason.LEASED, until.toInstant()));
        } else if (low >= end && row.getBoolean(6)) {
          served.passed().add(passed(request, Passed.Reason.EMPTY, null));
        } else {
          reading.unusual.add(sent.get(place));
        }
        continue;
      }
      @Nullable Long base = row.getLong(7);
      if (base == null) {
        continue;
      }
      List<PartitionBatch> batches = served.batches();
      if (batches.isEmpty()) {
        batches.add(
            new PartitionBatch(
                row.getString(1),
                row.getString(2),
                PlainPop.candidate(request),
                Optional.of(
                    new Lease(pop.leaseId(place), Objects.requireNonNull(until).toInstant())),
                Math.max(0, end - low - request.batch()),
                new ArrayList<>()));
      }
      boolean sealed = row.getBoolean(9);
      reading.sealed |= sealed;
      addMessages(
          batches.get(0).messages(),
          row,
          10,
          Math.max(low, base),
          row.getOffsetDateTime(8).toInstant(),
          PayloadForm.now(sealed),
          null);
    }
  }

  private static Passed passed(PopRequest request, Passed.Reason reason, @Nullable Instant dueAt) {
    return new Passed(Optional.of(PlainPop.candidate(request)), reason, Optional.ofNullable(dueAt));
  }

  /** The pieces of one partition follow each other. */
  private static PartitionBatch batch(Row row, List<PartitionBatch> batches) {
    UUID partitionId = row.getUUID(4);
    if (!batches.isEmpty()) {
      PartitionBatch last = batches.get(batches.size() - 1);
      if (last.partitionId().equals(partitionId)) {
        return last;
      }
    }
    Optional<Lease> lease =
        Optional.ofNullable(row.getUUID(6))
            .map(id -> new Lease(id, row.getOffsetDateTime(5).toInstant()));
    PartitionBatch batch =
        new PartitionBatch(
            row.getString(2),
            row.getString(3),
            partitionId,
            lease,
            row.getLong(7),
            new ArrayList<>());
    batches.add(batch);
    return batch;
  }

  /** The messages of a row, whose five arrays begin with this column. */
  private static void addMessages(
      List<StoredMessage> messages,
      Row row,
      int column,
      long offset,
      Instant createdAt,
      PayloadForm form,
      Long @Nullable [] redeliveries) {
    UUID[] ids = row.getArrayOfUUIDs(column);
    String[] transactionIds = row.getArrayOfStrings(column + 1);
    String[] payloads = row.getArrayOfStrings(column + 2);
    UUID @Nullable [] traceIds = row.getArrayOfUUIDs(column + 3);
    String @Nullable [] producerSubs = row.getArrayOfStrings(column + 4);
    for (int i = 0; i < ids.length; i++) {
      messages.add(
          new StoredMessage(
              offset + i,
              ids[i],
              transactionIds[i],
              payloads[i],
              traceIds == null ? null : traceIds[i],
              producerSubs == null ? null : producerSubs[i],
              form,
              createdAt,
              redeliveries == null ? 1 : attempt(redeliveries, offset + i)));
    }
  }

  /** Pairs of an offset and a count: see {@code redeliveries_v1}. */
  private static int attempt(Long[] redeliveries, long offset) {
    long attempt = 1;
    for (int i = 0; i < redeliveries.length; i += 2) {
      if (redeliveries[i] > offset) {
        attempt += redeliveries[i + 1];
      }
    }
    return (int) Math.min(attempt, Integer.MAX_VALUE);
  }
}
