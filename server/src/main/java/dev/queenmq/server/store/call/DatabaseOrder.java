package dev.queenmq.server.store.call;

import java.util.Comparator;
import java.util.UUID;

/** How PostgreSQL sorts keys, which is the order in which their locks are taken. */
public final class DatabaseOrder {
  /** By bytes, unsigned; Java's own order is by signed halves. */
  public static final Comparator<UUID> UUIDS =
      Comparator.comparing(UUID::getMostSignificantBits, Long::compareUnsigned)
          .thenComparing(UUID::getLeastSignificantBits, Long::compareUnsigned);

  /** By code point, which is by bytes of UTF-8; Java's own order is by UTF-16 units. */
  public static final Comparator<String> TEXTS = DatabaseOrder::compare;

  private DatabaseOrder() {}

  private static int compare(String a, String b) {
    int length = Math.min(a.length(), b.length());
    for (int i = 0; i < length; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        // A surrogate stands for a code point above all others of 16 bits.
        boolean high = Character.isSurrogate(x);
        return high == Character.isSurrogate(y) ? Character.compare(x, y) : high ? 1 : -1;
      }
    }
    return Integer.compare(a.length(), b.length());
  }
}
