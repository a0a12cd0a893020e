package dev.queenmq.server.store.pop;

import dev.queenmq.server.encryption.PayloadForm;
import dev.queenmq.server.model.Lease;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.SkippedPartition;
import dev.queenmq.server.model.StoredMessage;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.time.Instant;
import java.time.OffsetDateTime;
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
 * Reads the rows of pops into the outcomes of their requests: those of {@code pop_v1}, and those of
 * a plain statement ({@link PlainPop}). Remembers what has to be done next: messages to decrypt,
 * requests that did not fit into the room, cursors that are not for a plain statement.
 */
final class PopRows {
  private static final String MESSAGES = "messages";
  private static final String CONTACT = "contact";
  private static final String LARGE = "large";

  /**
   * A request whose messages did not fit into the room that there was.
   *
   * @param request its place among the requests
   * @param all bytes of everything that it would get
   * @param first bytes of the first segment
   * @param now what the clock of the database showed
   */
  record Large(int request, UUID partitionId, long all, long first, Instant now) {}

  private final List<PopRequest> requests;
  private final @Nullable PopOutcome[] outcomes;
  private final List<Large> large = new ArrayList<>(0);
  private final Set<Integer> unusual = new HashSet<>(0);
  private boolean sealed;

  PopRows(List<PopRequest> requests, @Nullable PopOutcome[] outcomes) {
    this.requests = requests;
    this.outcomes = outcomes;
  }

  /** Whether there are messages that are sealed, had to be, or are leased as if. */
  boolean isSealed() {
    return sealed;
  }

  /** The requests whose messages did not fit. */
  List<Large> large() {
    return large;
  }

  /** Whether the cursor or the queue of a request is not one for a plain statement. */
  boolean isUnusual(int request) {
    return unusual.contains(request);
  }

  /** Other rows for the same requests were read. */
  void add(PopRows other) {
    sealed |= other.sealed;
  }

  /** The places of candidates whose cursors have to be made first: then there is nothing else. */
  static Integer[] unopened(RowSet<Row> rows) {
    List<Integer> places = new ArrayList<>();
    for (Row row : rows) {
      if (!row.getString(1).equals(CONTACT)) {
        break;
      }
      places.add(Math.toIntExact(row.getLong(10)));
    }
    return places.toArray(Integer[]::new);
  }

  /**
   * Reads rows of {@code pop_v1}.
   *
   * @param sent the requests of the call
   */
  void read(RowSet<Row> rows, List<Integer> sent) {
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
        sealed |=
            row.getShort(8) != 0 || (requests.get(request).autoAck() && row.getUUID(6) != null);
      } else if (state.equals(LARGE)) {
        large.add(
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
                new SkippedPartition(
                    Optional.ofNullable(row.getUUID(4)),
                    SkippedPartition.Reason.valueOf(state.toUpperCase(Locale.ROOT)),
                    Optional.ofNullable(row.getOffsetDateTime(5)).map(OffsetDateTime::toInstant)));
      }
    }
  }

  /**
   * Reads rows of a plain statement: messages that were not delivered before, or why there are
   * none.
   */
  void readPlain(RowSet<Row> rows, PlainPop pop, List<Integer> sent) {
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
          served.passed().add(passed(request, SkippedPartition.Reason.LEASED, until.toInstant()));
        } else if (low >= end && row.getBoolean(6)) {
          served.passed().add(passed(request, SkippedPartition.Reason.EMPTY, null));
        } else {
          unusual.add(sent.get(place));
        }
        continue;
      }
      Optional<List<StoredMessage>> fromMemory = pop.fromMemory(place, row);
      @Nullable Long base = fromMemory.isPresent() ? null : row.getLong(7);
      if (fromMemory.isEmpty() && base == null) {
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
      if (base == null) {
        batches.get(0).messages().addAll(fromMemory.get());
        continue;
      }
      boolean encrypted = row.getBoolean(9);
      sealed |= encrypted;
      addMessages(
          batches.get(0).messages(),
          row,
          10,
          Math.max(low, base),
          row.getOffsetDateTime(8).toInstant(),
          PayloadForm.now(encrypted),
          null);
    }
  }

  static SkippedPartition passed(
      PopRequest request, SkippedPartition.Reason reason, @Nullable Instant dueAt) {
    return new SkippedPartition(
        Optional.of(PlainPop.candidate(request)), reason, Optional.ofNullable(dueAt));
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
