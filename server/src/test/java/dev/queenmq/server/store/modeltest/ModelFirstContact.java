package dev.queenmq.server.store.modeltest;

import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.Subscription;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where groups start, decided once, by the rules of docs/internals/store.md. */
final class ModelFirstContact {
  private final ModelState state;

  ModelFirstContact(ModelState state) {
    this.state = state;
  }

  /** Decides for the requests of a call and makes the cursors. */
  void decide(List<PopRequest> requests) {
    List<Runnable> cursors = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      PopRequest request = requests.get(i);
      if (ModelPop.isBad(request)) {
        continue;
      }
      List<ModelPartition> found = new ArrayList<>();
      for (ModelPartition partition : candidates(request)) {
        if (!partition.cursors.containsKey(request.group())) {
          found.add(partition);
          cursors.add(() -> state.cursor(partition, request.group()));
        }
      }
      if (!request.group().equals(PopRequest.QUEUE_MODE)) {
        record(request, found);
      }
    }
    cursors.forEach(Runnable::run);
  }

  /** The partitions among a request's candidates. */
  private List<ModelPartition> candidates(PopRequest request) {
    if (request.target() instanceof PopTarget.Candidates candidates) {
      return candidates.partitionIds().stream()
          .flatMap(id -> Optional.ofNullable(state.find(id)).stream())
          .toList();
    }
    PopTarget.Named named = (PopTarget.Named) request.target();
    return Optional.ofNullable(state.find(named.queue(), named.partition())).stream().toList();
  }

  private void record(PopRequest request, List<ModelPartition> unknown) {
    if (request.target() instanceof PopTarget.Named named) {
      boolean missing = state.find(named.queue(), named.partition()) == null;
      if ((missing || !unknown.isEmpty())
          && !state.starts.containsKey(key(request, named.queue(), ""))) {
        state.starts.putIfAbsent(key(request, named.queue(), named.partition()), start(request));
      }
    } else if (request.target() instanceof PopTarget.Candidates candidates) {
      if (candidates.partitionIds().isEmpty()) {
        candidates
            .queue()
            .ifPresent(queue -> state.starts.putIfAbsent(key(request, queue, ""), start(request)));
      }
      for (ModelPartition partition : unknown) {
        state.starts.putIfAbsent(key(request, partition.queue, ""), start(request));
      }
    }
  }

  private static ModelState.StartKey key(PopRequest request, String queue, String partition) {
    return new ModelState.StartKey(queue, request.group(), partition);
  }

  /** After which moment the group starts; empty: at the oldest message. */
  private Optional<Instant> start(PopRequest request) {
    if (request.subscription() instanceof Subscription.New) {
      return Optional.of(state.now);
    }
    if (request.subscription() instanceof Subscription.After after) {
      return Optional.of(after.moment());
    }
    return Optional.empty();
  }
}
