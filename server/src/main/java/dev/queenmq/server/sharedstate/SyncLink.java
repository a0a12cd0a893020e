package dev.queenmq.server.sharedstate;

import java.util.List;

/**
 * How messages get to other brokers. They may be lost, late, repeated or out of order: whatever is
 * sent here has another way to become known. Called from any thread; must not block.
 */
public interface SyncLink {

  /**
   * Sends to one broker.
   *
   * @return false if that broker is not known yet, and nothing was sent
   */
  boolean send(String serverId, int type, byte[] payload);

  /**
   * Sends the same to some brokers.
   *
   * @return false if one of them is not known yet; some may have got it
   */
  default boolean send(List<String> serverIds, int type, byte[] payload) {
    boolean all = true;
    for (String serverId : serverIds) {
      all &= send(serverId, type, payload);
    }
    return all;
  }

  /** Sends to every broker that there may be. */
  void broadcast(int type, byte[] payload);
}
