package dev.queenmq.server.store.pop;

import dev.queenmq.server.memory.AnswerMemory;
import dev.queenmq.server.memory.AnswerMemory.Room;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.Problem;
import dev.queenmq.server.model.SkippedPartition;
import dev.queenmq.server.model.StoreException;
import dev.queenmq.server.model.StoredMessage;
import dev.queenmq.server.store.ack.LeaseMemory;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.InputRules;
import dev.queenmq.server.store.call.Outcomes;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.store.recent.RecentMessages;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Leases messages. Requests with one candidate each are one plain statement ({@link PlainPop}).
 * What that does not serve, and all other requests, go to {@code pop_v1}.
 */
public final class PopProcedure {
  private static final String SQL =
      "select * from queen.pop_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,"
          + " $15, $16, $17)";
  private static final String FIRST_CONTACT =
      "select queen.first_contact_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,"
          + " $14)";

  /** A request for which there is no memory is asked again after this long. */
  private static final Duration NO_MEMORY_PAUSE = Duration.ofMillis(100);

  /** With at most this many messages left, a group may find the next ones in memory. */
  private static final int NEAR_END = 100;

  /** More than one first contact in a call means that the group is deleted at the same time. */
  private static final int MAX_ROUNDS = 10;

  private final StoreClient client;
  private final PayloadDecryptor decryptor;
  private final LostPops lostPops;
  private final AnswerMemory memory;
  private final LeaseMemory leases;
  private final RecentMessages recent;
  private final short shard;
  private final boolean plain;
  private final PopMisses misses = new PopMisses();
  private final PopMisses recentMisses = new PopMisses();

  public PopProcedure(
      StoreClient client,
      PayloadDecryptor decryptor,
      LostPops lostPops,
      AnswerMemory memory,
      LeaseMemory leases,
      RecentMessages recent,
      StoreOptions options) {
    this.client = client;
    this.decryptor = decryptor;
    this.lostPops = lostPops;
    this.memory = memory;
    this.leases = leases;
    this.recent = recent;
    shard = options.shard();
    plain = options.plainStatements();
  }

  /** Another server takes the writes: which cursors had a history there is not known. */
  public void forgetAll() {
    misses.forgetAll();
    recentMisses.forgetAll();
  }

  public Future<List<PopOutcome>> pop(List<PopRequest> requests) {
    return lostPops.isEmpty()
        ? popNow(requests)
        : lostPops.recoverFor(requests).compose(recovered -> popNow(requests));
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
    PopRows reading = new PopRows(requests, outcomes);
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
              return reading.isSealed()
                  ? decryptor.open(requests, done).map(PopProcedure::withoutEmpty)
                  : Future.succeededFuture(done);
            })
        .onSuccess(done -> remember(requests, done));
  }

  private void remember(List<PopRequest> requests, List<PopOutcome> outcomes) {
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) instanceof PopOutcome.Served served) {
        leases.granted(served.batches(), requests.get(i).group());
        for (PartitionBatch batch : served.batches()) {
          if (batch.backlog() <= NEAR_END) {
            recent.popped(batch.partitionId());
          }
        }
      }
    }
  }

  /** As a plain statement if that may do, and what it leaves by the procedure. */
  private Future<Void> first(
      List<PopRequest> requests,
      List<Integer> sent,
      long bytes,
      @Nullable PopOutcome[] outcomes,
      PopRows reading) {
    Optional<PlainPop> usual =
        plain
            ? PlainPop.of(sent.stream().map(requests::get).toList(), misses, recent, recentMisses)
            : Optional.empty();
    return usual.isEmpty()
        ? general(requests, sent, bytes, reading)
        : usual
            .get()
            .run(client, shard, bytes)
            .compose(
                rows -> {
                  reading.readPlain(rows, usual.get(), sent);
                  return rest(requests, sent, bytes, outcomes, reading);
                });
  }

  private Future<Void> general(
      List<PopRequest> requests, List<Integer> sent, long bytes, PopRows reading) {
    return call(requests, sent, bytes, false)
        .map(
            rows -> {
              reading.read(rows, sent);
              return null;
            });
  }

  /** Requests that the plain statement has not served, by the procedure. */
  private Future<Void> rest(
      List<PopRequest> requests,
      List<Integer> sent,
      long bytes,
      @Nullable PopOutcome[] outcomes,
      PopRows reading) {
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
        general(requests, rest, Math.max(0, left), reading)
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
      PopRows reading) {
    for (int i : rest) {
      if (reading.isUnusual(i)
          || (outcomes[i] instanceof PopOutcome.Served served
              && served.passed().stream()
                  .anyMatch(each -> each.reason() == SkippedPartition.Reason.STOPPED))) {
        misses.missed(PlainPop.cursor(requests.get(i)));
      }
    }
  }

  private static Future<Void> askAgain(
      List<PopRequest> requests, List<Integer> rest, @Nullable PopOutcome[] outcomes) {
    for (int i : rest) {
      if (outcomes[i] instanceof PopOutcome.Served served) {
        served.passed().add(PopRows.passed(requests.get(i), SkippedPartition.Reason.BUSY, null));
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
        bytes += StoredMessage.FIELDS_BYTES + message.payload().length();
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
      List<PopRequest> requests, @Nullable PopOutcome[] outcomes, PopRows reading) {
    List<PopRows.Large> together = new ArrayList<>();
    long asked = 0;
    for (PopRows.Large each : reading.large()) {
      if (asked > 0 && asked + each.first() > memory.most()) {
        later(each, outcomes);
      } else {
        asked += Math.max(each.first(), Math.min(each.all(), memory.most()));
        together.add(each);
      }
    }
    return together.isEmpty()
        ? Future.succeededFuture()
        : large(together, asked, requests, outcomes, reading);
  }

  private Future<Void> large(
      List<PopRows.Large> together,
      long all,
      List<PopRequest> requests,
      @Nullable PopOutcome[] outcomes,
      PopRows reading) {
    Optional<Room> room = memory.exact(all, together.get(0).first());
    if (room.isEmpty()) {
      together.forEach(each -> later(each, outcomes));
      return Future.succeededFuture();
    }
    List<Integer> sent = together.stream().map(PopRows.Large::request).distinct().toList();
    return call(requests, sent, room.get().bytes(), true)
        .<Void>map(
            rows -> {
              PopRows again = new PopRows(requests, outcomes);
              for (int request : sent) {
                if (outcomes[request] instanceof PopOutcome.Served served) {
                  served.passed().clear(); // they are looked at again
                }
              }
              again.read(rows, sent);
              reading.add(again);
              again.large().forEach(each -> later(each, outcomes));
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

  private static void later(PopRows.Large large, @Nullable PopOutcome[] outcomes) {
    if (outcomes[large.request()] instanceof PopOutcome.Served served) {
      served
          .passed()
          .add(
              new SkippedPartition(
                  Optional.of(large.partitionId()),
                  SkippedPartition.Reason.PAUSED,
                  Optional.of(large.now().plus(NO_MEMORY_PAUSE))));
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
        .onFailure(failure -> lost(failure, requests, sent, popIds));
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
            PopArguments.of(shard, requests, sent)
                .addArrayOfString(PopArguments.holders(requests, sent))
                .addArrayOfUUID(popIds)
                .addLong(bytes)
                .addBoolean(cut))
        .compose(
            rows -> {
              Integer[] unopened = PopRows.unopened(rows);
              if (unopened.length == 0) {
                return Future.succeededFuture(rows);
              }
              return round < MAX_ROUNDS
                  ? client
                      .call(
                          FIRST_CONTACT,
                          PopArguments.of(shard, requests, sent).addArrayOfInteger(unopened))
                      .compose(made -> call(requests, sent, popIds, bytes, cut, round + 1))
                  : Future.failedFuture(
                      new StoreException(
                          StoreException.Kind.CONFLICT,
                          "A consumer group was deleted again and again while it popped"));
            });
  }

  /** Those with autoAck may have happened, and what they took is taken back. */
  private void lost(
      Throwable failure, List<PopRequest> requests, List<Integer> sent, @Nullable UUID[] popIds) {
    if (failure instanceof StoreException store && store.mayHaveHappened()) {
      for (int i = 0; i < popIds.length; i++) {
        @Nullable UUID popId = popIds[i];
        if (popId != null) {
          lostPops.add(popId, requests.get(sent.get(i)));
        }
      }
    }
  }
}
