package dev.queenmq.bench.httpaudit;

import dev.queenmq.bench.audit.Violation;
import dev.queenmq.bench.broker.Answers;
import dev.queenmq.bench.broker.PopMessage;
import dev.queenmq.bench.broker.Reply;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Answers only in transactions: what it acks it also copies to a second queue. So in the end
 * exactly the messages that are done for this group have a copy. Now and then a transaction is
 * spoiled and must do nothing.
 */
final class CopyingConsumer extends Actor {
  private static final String TRANSACTION = "/api/v1/transaction";
  private static final String LEASE_LOST = "Invalid or expired lease";
  private static final String DUPLICATE = "duplicate key";
  private static final String NOBODY = "nobody-pushed-this";

  private final int group;
  private final Deliveries deliveries;
  private final Random random;

  /** Transaction ids that may have been committed without an answer. */
  private final Set<AuditedMessage> tried;

  CopyingConsumer(Scene scene, int group, Set<AuditedMessage> tried, Random random) {
    super(scene, Phase.DRAIN);
    this.group = group;
    this.tried = tried;
    this.random = random;
    deliveries = new Deliveries(scene, group);
  }

  @Override
  Future<Void> step() {
    ledger().add(Count.POPS);
    long sent = System.nanoTime();
    String query =
        "wait=true&timeout=%d&batch=%d&partitions=%d"
            .formatted(200 + random.nextInt(300), 1 + random.nextInt(40), 1 + random.nextInt(4));
    return wire()
        .get(scene().names().popAny(Names.group(group), query))
        .map(reply -> deliveries.received(Answers.pop(reply), sent))
        .compose(this::answer);
  }

  private Future<Void> answer(List<HeldBatch> batches) {
    if (batches.isEmpty()) {
      return Future.succeededFuture();
    }
    int habit = scene().phase() == Phase.RUN ? random.nextInt(1000) : 1000;
    Manners.Habits habits = scene().settings().manners().habits();
    if (habit < habits.die()) {
      ledger().add(Count.DEATHS);
      batches.forEach(batch -> batch.releasing(System.nanoTime()));
      return wire().cut();
    }
    Future<Void> before =
        habit < habits.die() + habits.late()
            ? scene().pause(scene().settings().lease().plus(HttpConsumer.LATE_BY))
            : Future.succeededFuture();
    return habit > 1000 - habits.mixed() && habit < 1000
        ? before.compose(now -> attempt(batches, true)).compose(now -> attempt(batches, false))
        : before.compose(now -> attempt(batches, false));
  }

  private Future<Void> attempt(List<HeldBatch> batches, boolean spoil) {
    JsonArray operations = new JsonArray();
    for (HeldBatch batch : batches) {
      for (HeldBatch.Held held : batch.messages()) {
        operations.add(ack(held.popped(), held.popped().transactionId()));
        operations.add(copy(held.message()));
      }
    }
    if (spoil) {
      operations.add(ack(batches.get(0).messages().get(0).popped(), NOBODY));
    }
    long sent = System.nanoTime();
    batches.forEach(batch -> batch.releasing(sent));
    return wire()
        .post(TRANSACTION, new JsonObject().put("operations", operations).toBuffer())
        .map(Reply::orThrow)
        .map(
            reply -> {
              heard(batches, new JsonObject(reply.body()), spoil, sent);
              return (Void) null;
            })
        .onFailure(unknown -> notHeard(batches, sent));
  }

  private JsonObject ack(PopMessage popped, String transactionId) {
    return new JsonObject()
        .put("type", "ack")
        .put("transactionId", transactionId)
        .put("partitionId", popped.partitionId())
        .put("leaseId", popped.leaseId())
        .put("consumerGroup", Names.group(group))
        .put("status", Verdicts.COMPLETED);
  }

  private JsonObject copy(AuditedMessage message) {
    return new JsonObject()
        .put("type", "push")
        .put("queue", scene().names().copies())
        .put("partition", Names.partition(message.partition()))
        .put("transactionId", message.transactionId())
        .put("payload", new JsonObject().put(PopMessage.NUMBER, message.number()));
  }

  private void notHeard(List<HeldBatch> batches, long sent) {
    for (HeldBatch batch : batches) {
      for (HeldBatch.Held held : batch.messages()) {
        tried.add(held.message());
        held.message().fate(group).perhapsDone(sent);
      }
    }
  }

  private void heard(List<HeldBatch> batches, JsonObject answer, boolean spoiled, long sent) {
    if (answer.getBoolean("success", false)) {
      ledger().add(Count.TRANSACTIONS);
      if (spoiled) {
        ledger()
            .violations()
            .add(Violation.HALF_TRANSACTION, "an ack of nothing succeeded: " + batches.get(0));
      }
      for (HeldBatch batch : batches) {
        batch.checkLate(sent, scene().settings().lease(), ledger().violations());
        batch.messages().forEach(held -> done(batch, held.message(), sent));
      }
      return;
    }
    ledger().add(Count.TRANSACTIONS_BACK);
    String error = answer.getString("error", "");
    if (error.contains(DUPLICATE)) {
      // A copy exists, so somebody has said that it is done; if nobody has, it happened by half.
      if (batches.stream()
          .flatMap(batch -> batch.messages().stream())
          .noneMatch(
              held -> tried.contains(held.message()) || held.message().fate(group).isDone())) {
        ledger().violations().add(Violation.HALF_TRANSACTION, error + ": " + batches);
      }
    } else if (error.contains(LEASE_LOST)) {
      ledger().add(Count.LOST_LEASES);
    } else if (!spoiled) {
      ledger().violations().add(Violation.UNEXPECTED, "transaction answered " + answer);
    }
  }

  private void done(HeldBatch batch, AuditedMessage message, long sent) {
    ledger().cursor(batch.partition(), group).done(message, batch, sent);
    ledger().add(Count.ACKED);
  }
}
