package dev.queenmq.server.store.recent;

import dev.queenmq.server.model.StoredMessage;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages of one partition that follow each other without a gap. Never changes, so a pop that is
 * under way keeps what it was made with.
 *
 * @param from the offset of the first message
 * @param messages in the order of their offsets
 * @param bytes that they take in memory, about
 */
public record RecentRun(long from, List<StoredMessage> messages, long bytes) {
  /** A message beside its texts: the objects and the references to them. */
  private static final int MESSAGE_BYTES = 240;

  static final RecentRun EMPTY = new RecentRun(0, List.of(), 0);

  /** The offset behind the last message. */
  public long to() {
    return from + messages.size();
  }

  /** Whether it has all messages of a range. */
  public boolean covers(long low, long high) {
    return low >= from && high <= to();
  }

  /** The messages of a range that it covers. */
  public List<StoredMessage> slice(long low, long high) {
    return messages.subList((int) (low - from), (int) (high - from));
  }

  /**
   * The newest of its messages and these, which were appended after them.
   *
   * @param mostBytes that the result may take
   */
  RecentRun then(List<StoredMessage> added, long mostBytes) {
    boolean continues = added.get(0).offset() == to();
    long bytes = continues ? this.bytes : 0;
    for (StoredMessage message : added) {
      bytes += bytes(message);
    }
    List<StoredMessage> all = new ArrayList<>(messages.size() + added.size());
    if (continues) {
      all.addAll(messages);
    }
    all.addAll(added);
    int first = 0;
    while (bytes > mostBytes) {
      bytes -= bytes(all.get(first));
      first++;
    }
    // A part is copied: it would hold on to the whole.
    return first == all.size()
        ? EMPTY
        : new RecentRun(
            all.get(first).offset(),
            first == 0 ? all : new ArrayList<>(all.subList(first, all.size())),
            bytes);
  }

  private static long bytes(StoredMessage message) {
    return MESSAGE_BYTES + (long) message.payload().length() + message.transactionId().length();
  }
}
