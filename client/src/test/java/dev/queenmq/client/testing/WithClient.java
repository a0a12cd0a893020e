package dev.queenmq.client.testing;

import dev.queenmq.client.QueenClient;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test with a client of its own at the broker of this run, and a queue name of its own. */
@ExtendWith(BrokerExtension.class)
public abstract class WithClient {
  protected final TestBroker broker;
  protected final QueenClient client;
  protected final String name = "client-" + UUID.randomUUID();

  protected WithClient(TestBroker broker) {
    this.broker = broker;
    this.client = broker.client();
  }

  @AfterEach
  void disconnect() {
    client.close();
  }
}
