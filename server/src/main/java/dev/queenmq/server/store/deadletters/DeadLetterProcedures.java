package dev.queenmq.server.store.deadletters;

import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.encryption.UnopenablePayloadException;
import dev.queenmq.server.model.Problem;
import dev.queenmq.server.model.admin.DeadLetterSelection;
import dev.queenmq.server.model.admin.Redrive;
import dev.queenmq.server.model.admin.RedriveOutcome;
import dev.queenmq.server.model.admin.RemovalOutcome;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.InputRules;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.push.AppendContext;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Gives dead letters back, or removes them: {@code redrive_v1}, {@code purge_v1}. */
public final class DeadLetterProcedures {
  private static final String REDRIVE =
      "select * from queen.redrive_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10," + " $11)";
  private static final String PURGE =
      "select * from queen.purge_v1($1, $2, $3, $4, $5, $6, $7, $8)";

  /** How many a purge removes in one transaction. */
  private static final int PAGE = 5000;

  private final StoreClient client;
  private final LongConsumer appended;
  private final short shard;
  private final DeadLetterEncryptor sealing;

  /**
   * Procedures.
   *
   * @param appended receives each transaction that appended messages
   */
  public DeadLetterProcedures(
      StoreClient client, LongConsumer appended, Encryption encryption, short shard) {
    this.client = client;
    this.appended = appended;
    this.shard = shard;
    sealing = new DeadLetterEncryptor(client, encryption, shard);
  }

  public Future<RedriveOutcome> redrive(Redrive redrive) {
    Optional<Problem> problem = InputRules.redrive(redrive);
    if (problem.isPresent()) {
      return Future.succeededFuture(new RedriveOutcome.Rejected(problem.get()));
    }
    return redrive(redrive, 1);
  }

  /** Once, or again after its dead letters were sealed. */
  private Future<RedriveOutcome> redrive(Redrive redrive, int round) {
    return client
        .call(REDRIVE, arguments(redrive).addBoolean(sealing.isNeedless()))
        .recover(Failures::translate)
        .compose(
            rows -> {
              Row row = rows.iterator().next();
              if (!row.getBoolean("o_unsealed")) {
                return Future.succeededFuture(redriven(row));
              }
              if (sealing.isImpossible()) {
                return Future.succeededFuture(new RedriveOutcome.KeyMissing());
              }
              return AppendContext.givesUp(round)
                  ? AppendContext.givenUp("its dead letters were given back")
                  : sealing
                      .seal(selection(redrive))
                      .compose(done -> redrive(redrive, round + 1))
                      .recover(
                          failure ->
                              failure instanceof UnopenablePayloadException unopenable
                                  ? Future.succeededFuture(
                                      new RedriveOutcome.Unopenable(
                                          String.valueOf(unopenable.getMessage())))
                                  : Future.failedFuture(failure));
            });
  }

  private Tuple arguments(Redrive redrive) {
    Tuple selection = selection(redrive);
    return redrive instanceof Redrive.Selected some
        ? selection.addInteger(some.limit()).addString(some.requestId().orElse(null))
        : selection.addInteger(Integer.MAX_VALUE).addString(null);
  }

  private Tuple selection(Redrive redrive) {
    if (redrive instanceof Redrive.OneMessage one) {
      return Tuple.of(shard)
          .addString(null)
          .addString(null)
          .addUUID(one.message().partitionId())
          .addString(one.group().orElse(null))
          .addOffsetDateTime(null)
          .addOffsetDateTime(null)
          .addArrayOfString(new String[] {one.message().transactionId()});
    }
    Redrive.Selected some = (Redrive.Selected) redrive;
    DeadLetterSelection selection = some.selection();
    return Tuple.of(shard)
        .addString(selection.queue())
        .addString(selection.partition().orElse(null))
        .addUUID(null)
        .addString(selection.group().orElse(null))
        .addOffsetDateTime(moment(selection.from()))
        .addOffsetDateTime(moment(selection.until()))
        .addArrayOfString(ids(selection));
  }

  private RedriveOutcome redriven(Row row) {
    if (!row.getBoolean("o_found")) {
      return new RedriveOutcome.NotFound();
    }
    @Nullable Long transaction = row.getLong("o_xid");
    if (transaction != null) {
      appended.accept(transaction);
    }
    List<RedriveOutcome.Appended> partitions = new ArrayList<>();
    String[] names = row.getArrayOfStrings("o_partitions");
    for (int i = 0; i < names.length; i++) {
      partitions.add(
          new RedriveOutcome.Appended(row.getArrayOfUUIDs("o_partition_ids")[i], names[i]));
    }
    return new RedriveOutcome.Redriven(
        row.getString("o_queue"),
        row.getInteger("o_redriven"),
        row.getLong("o_remaining"),
        partitions,
        List.of(row.getArrayOfUUIDs("o_message_ids")));
  }

  public Future<RemovalOutcome> purge(DeadLetterSelection selection) {
    Optional<Problem> problem = InputRules.selection(selection);
    return problem.isPresent()
        ? Future.succeededFuture(new RemovalOutcome.Rejected(problem.get()))
        : page(selection, 0);
  }

  private Future<RemovalOutcome> page(DeadLetterSelection selection, long purged) {
    Tuple arguments =
        Tuple.of(shard)
            .addString(selection.queue())
            .addString(selection.partition().orElse(null))
            .addString(selection.group().orElse(null))
            .addOffsetDateTime(moment(selection.from()))
            .addOffsetDateTime(moment(selection.until()))
            .addArrayOfString(ids(selection))
            .addInteger(PAGE);
    return client
        .call(PURGE, arguments)
        .recover(Failures::translate)
        .compose(
            rows -> {
              Row row = rows.iterator().next();
              if (!row.getBoolean("o_found")) {
                return Future.succeededFuture(new RemovalOutcome.NotFound());
              }
              int gone = row.getInteger("o_purged");
              long total = purged + gone;
              // A whole page that is locked: other transactions work on it.
              return gone > 0 && row.getInteger("o_selected") == PAGE
                  ? page(selection, total)
                  : Future.succeededFuture(new RemovalOutcome.Removed(total, List.of()));
            });
  }

  private static @Nullable OffsetDateTime moment(Optional<Instant> moment) {
    return moment.map(each -> each.atOffset(ZoneOffset.UTC)).orElse(null);
  }

  private static String @Nullable [] ids(DeadLetterSelection selection) {
    return selection.transactionIds().isEmpty()
        ? null
        : selection.transactionIds().toArray(String[]::new);
  }
}
