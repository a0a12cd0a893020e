package dev.queenmq.bench.compare;

import java.util.List;

/** Systems of another module, which a {@link java.util.ServiceLoader} finds. */
public interface PeerSystems {
  /** All of them, also those that cannot start here. */
  List<SystemUnderTest> systems();
}
