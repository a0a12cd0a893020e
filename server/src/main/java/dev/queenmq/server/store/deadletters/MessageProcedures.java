package dev.queenmq.server.store.deadletters;

import dev.queenmq.server.model.EndedLease;
import dev.queenmq.server.model.MessageKey;
import dev.queenmq.server.model.MessageRules;
import dev.queenmq.server.model.Problem;
import dev.queenmq.server.model.admin.DeadLettering;
import dev.queenmq.server.model.admin.MessageOutcome;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.InputRules;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What is done to single messages: {@code delete_message_v1}, {@code dead_letter_message_v1}. */
public final class MessageProcedures {
  private static final String DELETE = "select * from queen.delete_message_v1($1, $2, $3, $4)";
  private static final String DEAD_LETTER =
      "select * from queen.dead_letter_message_v1($1, $2, $3, $4, $5, $6)";

  /** How many messages of a partition, the newest, are searched for a transaction id. */
  static final long REACH = 100_000;

  private final StoreClient client;
  private final short shard;

  public MessageProcedures(StoreClient client, short shard) {
    this.client = client;
    this.shard = shard;
  }

  public Future<MessageOutcome> delete(MessageKey message) {
    Optional<Problem> problem = MessageRules.name("transactionId", message.transactionId());
    if (problem.isPresent()) {
      return Future.succeededFuture(new MessageOutcome.Rejected(problem.get()));
    }
    Tuple arguments =
        Tuple.of(shard, message.partitionId(), message.transactionId()).addLong(REACH);
    return client
        .call(DELETE, arguments)
        .recover(Failures::translate)
        .map(
            rows -> {
              Row row = rows.iterator().next();
              return row.getBoolean("o_found")
                  ? done(message, row, Arrays.asList(row.getArrayOfStrings("o_ended_groups")))
                  : new MessageOutcome.NotFound();
            });
  }

  public Future<MessageOutcome> deadLetter(DeadLettering deadLettering) {
    MessageKey message = deadLettering.message();
    Optional<Problem> problem = InputRules.deadLettering(deadLettering);
    if (problem.isPresent()) {
      return Future.succeededFuture(new MessageOutcome.Rejected(problem.get()));
    }
    Tuple arguments =
        Tuple.of(shard, message.partitionId(), message.transactionId())
            .addString(deadLettering.group())
            .addString(deadLettering.error().orElse(null))
            .addLong(REACH);
    return client
        .call(DEAD_LETTER, arguments)
        .recover(Failures::translate)
        .map(
            rows -> {
              Row row = rows.iterator().next();
              if (!row.getBoolean("o_found")) {
                return new MessageOutcome.NotFound();
              }
              return done(
                  message,
                  row,
                  row.getBoolean("o_released") ? List.of(deadLettering.group()) : List.of());
            });
  }

  private static MessageOutcome done(MessageKey message, Row row, List<String> groups) {
    String partition = row.getString("o_partition");
    return new MessageOutcome.Done(
        row.getString("o_queue"),
        groups.stream()
            .map(group -> new EndedLease(message.partitionId(), partition, group))
            .toList());
  }
}
