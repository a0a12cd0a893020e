package dev.queenmq.server.sidecar.lane;

import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.streams.Cycle;
import dev.queenmq.server.model.streams.StateChange;
import dev.queenmq.server.model.transactions.Operation;
import dev.queenmq.server.model.transactions.Transaction;
import java.util.List;

/** About how many bytes of memory requests take while they wait. */
public final class RequestWeight {
  private static final long EACH = 200;

  private RequestWeight() {}

  public static long of(int items) {
    return items * EACH;
  }

  public static long of(List<Message> messages) {
    long bytes = of(messages.size());
    for (Message message : messages) {
      bytes += message.payload().length();
    }
    return bytes;
  }

  public static long of(Transaction transaction) {
    long bytes = of(transaction.operations().size());
    for (Operation operation : transaction.operations()) {
      bytes += operation instanceof Operation.Push push ? push.message().payload().length() : 0;
    }
    return bytes;
  }

  public static long of(Cycle cycle) {
    long bytes = of(cycle.messages()) + of(cycle.changes().size() + 1);
    for (StateChange change : cycle.changes()) {
      bytes += change instanceof StateChange.Put put ? put.value().length() : 0;
    }
    return bytes;
  }
}
