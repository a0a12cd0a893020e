package dev.queenmq.server.store.upkeep;

/**
 * What a step did of the pass that seals again what is stored.
 *
 * @param stored how many messages, or dead letters, it sealed
 * @param left how many it could not open
 */
public record ResealStep(State state, long stored, long left) {

  /** How to go on. */
  public enum State {
    /** There may be more to do: another step is needed. */
    MORE,
    /** The pass is complete. */
    DONE,
    /** Later: there is nothing to do. */
    IDLE,
    /** Later: another broker runs it. */
    HELD,
    /** Later: brokers seal with different keys. */
    WAITING
  }
}
