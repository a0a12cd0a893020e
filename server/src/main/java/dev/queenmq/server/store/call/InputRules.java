package dev.queenmq.server.store.call;

import static dev.queenmq.server.model.MessageRules.message;
import static dev.queenmq.server.model.MessageRules.name;
import static dev.queenmq.server.model.MessageRules.stateKey;
import static dev.queenmq.server.model.MessageRules.text;

import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.MessageRef;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.Problem;
import dev.queenmq.server.model.Renewal;
import dev.queenmq.server.model.admin.DeadLetterSelection;
import dev.queenmq.server.model.admin.DeadLettering;
import dev.queenmq.server.model.admin.GroupDeletion;
import dev.queenmq.server.model.admin.Redrive;
import dev.queenmq.server.model.admin.Seek;
import dev.queenmq.server.model.streams.Cycle;
import dev.queenmq.server.model.streams.StateChange;
import dev.queenmq.server.model.streams.StreamQuery;
import java.util.Optional;

/**
 * Which requests the store can take. Checked before a request joins others in one call, so that a
 * bad one affects no other.
 */
public final class InputRules {
  private InputRules() {}

  public static Optional<Problem> pop(PopRequest request) {
    Optional<Problem> target;
    if (request.target() instanceof PopTarget.Named named) {
      target = name("queue", named.queue()).or(() -> name("partition", named.partition()));
    } else {
      target =
          ((PopTarget.Candidates) request.target()).queue().flatMap(queue -> name("queue", queue));
    }
    return target
        .or(() -> name("consumerGroup", request.group()))
        .or(() -> positive("batch", request.batch()))
        .or(() -> positive("partitions", request.maxPartitions()));
  }

  public static Optional<Problem> ack(Ack ack) {
    return name("consumerGroup", ack.group())
        .or(
            () ->
                ack.message() instanceof MessageRef.ByTransactionId id
                    ? name("transactionId", id.transactionId())
                    : Optional.empty())
        .or(() -> ack.error().flatMap(error -> text("error", error)));
  }

  public static Optional<Problem> seek(Seek seek) {
    return name("queue", seek.queue())
        .or(() -> seek.partition().flatMap(partition -> name("partition", partition)))
        .or(() -> name("consumerGroup", seek.group()));
  }

  public static Optional<Problem> groupDeletion(GroupDeletion deletion) {
    return name("consumerGroup", deletion.group())
        .or(() -> deletion.queue().flatMap(queue -> name("queue", queue)));
  }

  public static Optional<Problem> deadLettering(DeadLettering deadLettering) {
    return name("transactionId", deadLettering.message().transactionId())
        .or(() -> name("consumerGroup", deadLettering.group()))
        .or(() -> deadLettering.error().flatMap(error -> text("error", error)));
  }

  public static Optional<Problem> redrive(Redrive redrive) {
    if (redrive instanceof Redrive.OneMessage one) {
      return name("transactionId", one.message().transactionId())
          .or(() -> one.group().flatMap(group -> name("consumerGroup", group)));
    }
    Redrive.Selected some = (Redrive.Selected) redrive;
    return selection(some.selection())
        .or(() -> positive("limit", some.limit()))
        .or(() -> some.requestId().flatMap(id -> name("requestId", id)));
  }

  public static Optional<Problem> selection(DeadLetterSelection selection) {
    return name("queue", selection.queue())
        .or(() -> selection.partition().flatMap(partition -> name("partition", partition)))
        .or(() -> selection.group().flatMap(group -> name("consumerGroup", group)))
        .or(
            () ->
                selection.transactionIds().stream()
                    .flatMap(id -> name("transactionId", id).stream())
                    .findFirst());
  }

  public static Optional<Problem> renewal(Renewal renewal) {
    return renewal.extension().isNegative() || renewal.extension().toSeconds() > Integer.MAX_VALUE
        ? problem("seconds must be between 0 and " + Integer.MAX_VALUE)
        : Optional.empty();
  }

  public static Optional<Problem> streamQuery(StreamQuery query) {
    return name("name", query.name())
        .or(() -> name("source_queue", query.sourceQueue()))
        .or(() -> query.sinkQueue().flatMap(queue -> name("sink_queue", queue)))
        .or(() -> name("config_hash", query.configHash()));
  }

  public static Optional<Problem> cycle(Cycle cycle) {
    Optional<Problem> problem =
        name("consumer_group", cycle.group())
            .or(() -> cycle.idempotencyKey().flatMap(key -> name("idempotency_key", key)))
            .or(
                () ->
                    cycle
                        .consumed()
                        .flatMap(
                            consumed ->
                                name("ack.transactionId", consumed.transactionId())
                                    .or(
                                        () ->
                                            consumed
                                                .failure()
                                                .flatMap(error -> text("ack.error", error)))));
    for (int i = 0; problem.isEmpty() && i < cycle.changes().size(); i++) {
      problem = stateChange(cycle.changes().get(i));
    }
    for (int i = 0; problem.isEmpty() && i < cycle.messages().size(); i++) {
      problem = message(cycle.messages().get(i));
    }
    return problem;
  }

  private static Optional<Problem> stateChange(StateChange change) {
    return stateKey("key", change.key())
        .or(
            () ->
                change instanceof StateChange.Put put
                    ? text("value", put.value())
                    : Optional.empty());
  }

  private static Optional<Problem> positive(String what, int value) {
    return value < 1 ? problem(what + " must be at least 1") : Optional.empty();
  }

  private static Optional<Problem> problem(String text) {
    return Optional.of(new Problem(text));
  }
}
