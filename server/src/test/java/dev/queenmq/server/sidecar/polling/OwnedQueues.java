package dev.queenmq.server.sidecar.polling;

import java.util.stream.IntStream;

/** Names of queues by their owner, for tests that need two of them. */
public final class OwnedQueues {

  private OwnedQueues() {}

  /** A queue that belongs to one of a number of sidecars. */
  public static String of(int sidecar, int sidecars) {
    return IntStream.iterate(0, i -> i + 1)
        .mapToObj(i -> "queue" + i)
        .filter(name -> Ownership.of(name, sidecars) == sidecar)
        .findFirst()
        .orElseThrow();
  }
}
