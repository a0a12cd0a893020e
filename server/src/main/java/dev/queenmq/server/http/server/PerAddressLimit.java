package dev.queenmq.server.http.server;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * A limit for each address. Keeps only the addresses that have a count. Safe for use by several
 * threads.
 */
public final class PerAddressLimit {
  private final int most;
  private final ConcurrentMap<String, Integer> taken = new ConcurrentHashMap<>();

  public PerAddressLimit(int most) {
    this.most = most;
  }

  int most() {
    return most;
  }

  /** Counts one more, unless the address is at its limit. */
  public boolean take(String address) {
    boolean[] full = new boolean[1];
    taken.compute(
        address,
        (who, count) -> {
          int before = count == null ? 0 : count;
          full[0] = before >= most;
          return full[0] ? count : Integer.valueOf(before + 1);
        });
    return !full[0];
  }

  /** Counts one less. */
  public void giveBack(String address) {
    taken.computeIfPresent(address, (who, count) -> count == 1 ? null : count - 1);
  }
}
