package dev.queenmq.bench.store;

import dev.queenmq.server.model.Message;
import java.util.List;
import java.util.stream.IntStream;

/** The messages of one commit. */
record Batch(List<Message> messages) {

  /** The same messages in larger commits. */
  static List<Batch> joined(List<Batch> batches, int commits) {
    return IntStream.range(0, (batches.size() + commits - 1) / commits)
        .mapToObj(
            i -> batches.subList(i * commits, Math.min((i + 1) * commits, batches.size())).stream())
        .map(some -> new Batch(some.flatMap(batch -> batch.messages().stream()).toList()))
        .toList();
  }
}
