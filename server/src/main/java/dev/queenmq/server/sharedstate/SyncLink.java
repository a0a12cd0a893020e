package dev.queenmq.server.sharedstate;

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

  /** Sends to every broker that there may be. */
  void broadcast(int type, byte[] payload);
}
