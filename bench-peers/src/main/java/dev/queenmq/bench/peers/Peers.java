package dev.queenmq.bench.peers;

import dev.queenmq.bench.compare.PeerSystems;
import dev.queenmq.bench.compare.SystemUnderTest;
import java.util.List;

/** All systems of this module. */
public final class Peers implements PeerSystems {
  /** Made by the service loader. */
  public Peers() {}

  @Override
  public List<SystemUnderTest> systems() {
    return List.of(
        new KafkaSystem(false), new KafkaSystem(true), new RabbitSystem(), new NatsSystem());
  }
}
