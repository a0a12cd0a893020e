package dev.queenmq.server.memory;

/** Memory that something holds until it is released. */
@FunctionalInterface
public interface HeldMemory {
  /** Holds nothing. */
  HeldMemory NONE = () -> {};

  /** Gives everything back. A second call does nothing. */
  void release();
}
