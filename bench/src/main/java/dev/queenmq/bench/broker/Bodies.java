package dev.queenmq.bench.broker;

import io.vertx.core.buffer.Buffer;

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
  public Bodies ack(PopMessage message, String status) {
    comma();
    text.append("{\"transactionId\":\"")
        .append(message.transactionId())
        .append("\",\"partitionId\":\"")
        .append(message.partitionId())
        .append("\",\"leaseId\":\"")
        .append(message.leaseId())
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
