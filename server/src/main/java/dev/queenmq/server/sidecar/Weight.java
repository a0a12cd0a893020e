package dev.queenmq.server.sidecar;

import dev.queenmq.server.store.Cycle;
import dev.queenmq.server.store.Message;
import dev.queenmq.server.store.Operation;
import dev.queenmq.server.store.StateChange;
import dev.queenmq.server.store.Transaction;
import java.util.List;

/** About how many bytes of memory requests take while they wait. */
final class Weight {
  private static final long EACH = 200;

  private Weight() {}

  static long of(int items) {
    return items * EACH;
  }

  static long of(List<Message> messages) {
    long bytes = of(messages.size());
    for (Message message : messages) {
      bytes += message.payload().length();
    }
    return bytes;
  }

  static long of(Transaction transaction) {
    long bytes = of(transaction.operations().size());
    for (Operation operation : transaction.operations()) {
      bytes += operation instanceof Operation.Push push ? push.message().payload().length() : 0;
    }
    return bytes;
  }

  static long of(Cycle cycle) {
    long bytes = of(cycle.messages()) + of(cycle.changes().size() + 1);
    for (StateChange change : cycle.changes()) {
      bytes += change instanceof StateChange.Put put ? put.value().length() : 0;
    }
    return bytes;
  }
}
