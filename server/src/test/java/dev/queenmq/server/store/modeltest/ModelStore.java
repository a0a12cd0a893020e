package dev.queenmq.server.store.modeltest;

import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.transactions.Transaction;
import dev.queenmq.server.model.transactions.TransactionOutcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The store as docs/internals/store.md describes it, in plain collections: the oracle that the real
 * one is held to. It was written from that page and not from the procedures; keep it so.
 */
final class ModelStore {

  /** How many messages each segment of a partition holds, the oldest first. */
  interface Segments {
    List<Integer> lengths(UUID partitionId);
  }

  private ModelState state;
  private final Segments segments;

  /** An empty store at a moment. How messages are cut into segments is not the model's business. */
  ModelStore(Instant now, Segments segments) {
    this.state = new ModelState(now);
    this.segments = segments;
  }

  ModelState state() {
    return state;
  }

  /** Takes a step; answers what the store must answer. */
  Object take(Step step) {
    if (step instanceof Step.Push push) {
      return new ModelPush(state).push(push.messages());
    }
    if (step instanceof Step.PushToPoll both) {
      List<Object> outcomes = new ArrayList<>(new ModelPush(state).push(both.messages()));
      outcomes.addAll(new ModelPop(state, both.number()).pop(List.of(both.poll())));
      return outcomes;
    }
    if (step instanceof Step.Pop pop) {
      return new ModelPop(state, pop.number()).pop(pop.requests());
    }
    if (step instanceof Step.Acks given) {
      ModelAck model = new ModelAck(state, Set.of());
      List<AckOutcome> outcomes = model.ack(given.acks());
      return ModelAck.with(model.mismatches(given.acks()), outcomes);
    }
    if (step instanceof Step.Transact transact) {
      return transact(transact.transaction());
    }
    if (step instanceof Step.Pass pass) {
      state.now = state.now.plus(pass.time());
      return state.now;
    }
    return administer(step);
  }

  private Object administer(Step step) {
    ModelAdmin admin = new ModelAdmin(state);
    if (step instanceof Step.Renew renew) {
      return admin.renew(renew.renewals());
    }
    if (step instanceof Step.EndLease end) {
      return admin.endLease(end.leaseId());
    }
    if (step instanceof Step.Pause pause) {
      return admin.pause(pause.pause());
    }
    if (step instanceof Step.Move move) {
      return admin.seek(move.seek());
    }
    if (step instanceof Step.Configure configure) {
      return configure.configurations().stream().map(admin::configure).toList();
    }
    if (step instanceof Step.Delete delete) {
      return delete.queues().stream().map(admin::delete).toList();
    }
    if (step instanceof Step.Evict evict) {
      return new ModelEviction(state, segments).evict(evict.queue());
    }
    if (step instanceof Step.Drop drop) {
      return admin.drop(drop, segments.lengths(drop.partitionId()));
    }
    return operate(step);
  }

  private Object operate(Step step) {
    ModelOperator operator = new ModelOperator(state);
    if (step instanceof Step.DeleteMessage delete) {
      return operator.deleteMessage(delete.message());
    }
    if (step instanceof Step.DeadLetter deadLetter) {
      return operator.deadLetter(deadLetter.deadLettering());
    }
    if (step instanceof Step.GiveBack back) {
      return operator.redrive(back.redrive());
    }
    if (step instanceof Step.Purge purge) {
      return operator.purge(purge.selection());
    }
    if (step instanceof Step.Clear clear) {
      return operator.clear(clear.queue(), clear.partition());
    }
    if (step instanceof Step.DeletePartition delete) {
      return operator.deletePartition(delete.queue(), delete.partition());
    }
    if (step instanceof Step.DeleteGroup delete) {
      return operator.deleteGroup(delete.deletion());
    }
    return operator.moveSubscription(((Step.MoveSubscription) step).move());
  }

  private TransactionOutcome transact(Transaction transaction) {
    ModelState copy = state.copy();
    TransactionOutcome outcome = new ModelTransaction(copy).run(transaction);
    if (outcome instanceof TransactionOutcome.Committed) {
      state = copy;
    }
    return outcome;
  }
}
