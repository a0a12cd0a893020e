package dev.queenmq.server.admin.history;

import io.vertx.sqlclient.Tuple;
import org.jspecify.annotations.Nullable;

/** Which queues a chart is of; an empty text stands for any. */
public record QueueFilter(String queue, String namespace, String task) {

  /** Whether it leaves any queue out. */
  public boolean isEmpty() {
    return queue.isEmpty() && namespace.isEmpty() && task.isEmpty();
  }

  Tuple into(Tuple arguments) {
    return arguments
        .addString(nullable(queue))
        .addString(nullable(namespace))
        .addString(nullable(task));
  }

  static @Nullable String nullable(String text) {
    return text.isEmpty() ? null : text;
  }
}
