package dev.queenmq.server.admin;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;

/** Queues summed up by a label; those without one are left out. */
final class LabelSums {

  private LabelSums() {}

  /**
   * One object for each label, in their order.
   *
   * @param key under which the label stands
   */
  static JsonArray of(List<QueueRow> queues, String key, Function<QueueRow, String> label) {
    TreeMap<String, Sum> sums = new TreeMap<>();
    for (QueueRow queue : queues) {
      if (!label.apply(queue).isEmpty()) {
        sums.merge(label.apply(queue), Sum.of(queue), Sum::plus);
      }
    }
    JsonArray array = new JsonArray();
    sums.forEach((name, sum) -> array.add(sum.toJson().put(key, name)));
    return array;
  }

  private record Sum(long queues, long partitions, long total, long pending) {

    static Sum of(QueueRow queue) {
      return new Sum(1, queue.partitions(), queue.total(), queue.pending());
    }

    Sum plus(Sum other) {
      return new Sum(
          queues + other.queues,
          partitions + other.partitions,
          total + other.total,
          pending + other.pending);
    }

    JsonObject toJson() {
      return new JsonObject()
          .put("messages", new JsonObject().put("pending", pending).put("total", total))
          .put("partitions", partitions)
          .put("queues", queues);
    }
  }
}
