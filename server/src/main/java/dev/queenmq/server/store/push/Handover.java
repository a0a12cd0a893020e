package dev.queenmq.server.store.push;

import dev.queenmq.server.memory.AnswerMemory;
import dev.queenmq.server.memory.AnswerMemory.Room;
import dev.queenmq.server.model.Lease;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.StoreException;
import dev.queenmq.server.model.StoredMessage;
import dev.queenmq.server.store.ack.LeaseMemory;
import dev.queenmq.server.store.call.LeaseIds;
import dev.queenmq.server.store.call.StatementFile;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.push.WaitingPolls.WaitingPoll;
import dev.queenmq.server.store.recent.RecentMessages;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A poll that a push serves: the commit that stores the messages also leases them to the poll's
 * group, and the poll is answered with the messages that the broker has just sent.
 *
 * <h2>What it guarantees</h2>
 *
 * <ol>
 *   <li>The lease is one that a pop right after the push would have given: {@code
 *       push_and_lease.sql} has the conditions of {@code pop_one.sql}, and the group has nothing
 *       left before the messages. Where that is not so, nothing is leased, and the poll goes on
 *       waiting.
 *   <li>The messages are what PostgreSQL has stored. They are handed out only when it has answered
 *       that they are committed.
 *   <li>The push does not depend on the poll: it is stored and answered in any case.
 *   <li>A lease that no client gets is given back: if PostgreSQL did not answer, or the poll has
 *       gone meanwhile.
 * </ol>
 *
 * <h2>When</h2>
 *
 * <p>If the call is one segment and a poll waits for it: at low rates, where a message waits for
 * nothing but this. It saves a statement, its commit and a way through the broker. Under load calls
 * have many partitions, and polls find messages without waiting.
 *
 * <p>Decision 059.
 */
final class Handover {
  private static final String SQL = StatementFile.read("push_and_lease");

  /** What is larger has less to gain, and may not find the memory that its answer takes. */
  private static final long MOST_BYTES = 256 << 10;

  private static final int CREATED_AT = 0;
  private static final int EXPIRES = 2;

  /** What handing over needs of the store. */
  record Means(AnswerMemory answers, LeaseMemory leases, RecentMessages recent) {}

  private final Means means;
  private final WaitingPoll poll;
  private final PushTarget target;
  private final PushBatch call;
  private final Room room;
  private final int count;
  private final UUID leaseId;

  private Handover(
      Means means, WaitingPoll poll, PushTarget target, PushBatch call, Room room, int count) {
    this.means = means;
    this.poll = poll;
    this.target = target;
    this.call = call;
    this.room = room;
    this.count = count;
    leaseId = LeaseIds.over(target.knownId());
  }

  /** Finds a poll for a push to one partition, if one waits and there is memory for its answer. */
  static Optional<Handover> of(Means means, WaitingPolls polls, PlainPush push, PushBatch call) {
    Optional<PushTarget> target = push.onlyOne();
    if (target.isEmpty()
        || call.isSealed(target.get())
        || call.answerBytes(target.get(), target.get().members().size()) > MOST_BYTES) {
      return Optional.empty();
    }
    Optional<WaitingPoll> poll = polls.claim(target.get().name().queue(), target.get().knownId());
    if (poll.isEmpty()) {
      return Optional.empty();
    }
    int count = Math.min(poll.get().request().batch(), target.get().members().size());
    Room room = means.answers().usual();
    Handover handover = new Handover(means, poll.get(), target.get(), call, room, count);
    if (handover.bytes() > room.bytes()) {
      handover.nothing();
      return Optional.empty();
    }
    return Optional.of(handover);
  }

  /** Sends the push, whose arguments these are, with what the lease needs behind them. */
  Future<RowSet<Row>> run(StoreClient client, Tuple push) {
    PopRequest request = poll.request();
    return client.quick(
        SQL,
        push.addString(request.group())
            .addInteger(request.batch())
            .addUUID(leaseId)
            .addString(request.holder().json()));
  }

  /** The group that has a lease on the messages, by the statement's answer. */
  Optional<String> leasedTo(RowSet<Row> rows) {
    return row(rows).map(leased -> poll.request().group());
  }

  /** The statement's answer has come. */
  void answered(RowSet<Row> rows) {
    Optional<Row> row = row(rows);
    if (row.isEmpty()) {
      nothing();
      return;
    }
    PopOutcome.Served served =
        served(
            row.get().getOffsetDateTime(CREATED_AT).toInstant(),
            row.get().getOffsetDateTime(EXPIRES).toInstant());
    long bytes = bytes();
    means.answers().used(bytes);
    means.leases().granted(served.batches(), poll.request().group());
    means.recent().popped(target.knownId());
    poll.served(served.holding(room.keep(bytes)));
  }

  /** The row that says that the messages were stored and leased. */
  private static Optional<Row> row(RowSet<Row> rows) {
    return rows.iterator().hasNext()
        ? Optional.of(rows.iterator().next()).filter(row -> row.getValue(EXPIRES) != null)
        : Optional.empty();
  }

  /** The statement failed. */
  void failed(Throwable failure) {
    if (failure instanceof StoreException store && store.mayHaveHappened()) {
      room.release();
      poll.unknown(served(Instant.EPOCH, Instant.EPOCH));
    } else {
      nothing();
    }
  }

  private void nothing() {
    room.release();
    poll.unserved();
  }

  private PopOutcome.Served served(Instant createdAt, Instant expires) {
    List<StoredMessage> messages = call.stored(target, createdAt);
    List<PartitionBatch> batches = new ArrayList<>(1);
    batches.add(
        new PartitionBatch(
            target.name().queue(),
            target.name().partition(),
            target.knownId(),
            Optional.of(new Lease(leaseId, expires)),
            messages.size() - count,
            messages.subList(0, count)));
    return new PopOutcome.Served(batches, new ArrayList<>(0));
  }

  private long bytes() {
    return call.answerBytes(target, count);
  }
}
