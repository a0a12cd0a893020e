package dev.queenmq.bench.broker;

import io.vertx.core.buffer.Buffer;
import java.util.List;

/** Writes the bodies of requests. All names and ids must be free of quotes and backslashes. */
public final class Bodies {
  private static final int PUSH_BYTES = 256;

  private final StringBuilder text = new StringBuilder(PUSH_BYTES);
  private final String end;
  private boolean empty = true;

  private Bodies(String start, String end) {
    this.end = end;
    text.append(start);
  }

  /** The body of a push. */
  public static Bodies push() {
    return new Bodies("{\"items\":[", "]}");
  }

  /** The body of many acks for a group; an empty name means no group. */
  public static Bodies acks(String group) {
    return new Bodies(
        group.isEmpty()
            ? "{\"acknowledgments\":["
            : "{\"consumerGroup\":\"" + group + "\",\"acknowledgments\":[",
        "]}");
  }

  /** The same that says that all of these are done. */
  public static Bodies acks(String group, List<PopMessage> done) {
    Bodies body = acks(group);
    for (PopMessage message : done) {
      body.ack(message.transactionId(), message.partitionId(), message.leaseId(), "completed");
    }
    return body;
  }

  /** Adds a message; the payload is JSON. */
  public Bodies item(String queue, String partition, String transactionId, CharSequence payload) {
    comma();
    text.append("{\"queue\":\"")
        .append(queue)
        .append("\",\"partition\":\"")
        .append(partition)
        .append("\",\"transactionId\":\"")
        .append(transactionId)
        .append("\",\"payload\":")
        .append(payload)
        .append('}');
    return this;
  }

  /** Adds an ack. */
  public Bodies ack(String transactionId, String partitionId, String leaseId, String status) {
    comma();
    text.append("{\"transactionId\":\"")
        .append(transactionId)
        .append("\",\"partitionId\":\"")
        .append(partitionId)
        .append("\",\"leaseId\":\"")
        .append(leaseId)
        .append("\",\"status\":\"")
        .append(status)
        .append("\"}");
    return this;
  }

  private void comma() {
    if (!empty) {
      text.append(',');
    }
    empty = false;
  }

  /** All of it. */
  public Buffer finish() {
    return Buffer.buffer(text.append(end).toString());
  }
}
