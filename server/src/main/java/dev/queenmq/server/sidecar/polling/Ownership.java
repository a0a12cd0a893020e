package dev.queenmq.server.sidecar.polling;

/**
 * Which sidecar owns a queue: its dedup memory, ready lists and waiting polls are in one place and
 * need no locks.
 */
public final class Ownership {
  private Ownership() {}

  public static int of(String queue, int sidecars) {
    int hash = queue.hashCode() * 0x9E3779B9;
    return Math.floorMod(hash ^ (hash >>> 16), sidecars);
  }
}
