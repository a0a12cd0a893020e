package dev.queenmq.bench.views;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.BrokerClient;

/** Many partitions, and groups that lag in all of them. For one thread. */
final class Filling {
  /** Those have read every partition, and are two messages behind in each. */
  static final String[] BEHIND = {"billing", "audit"};

  /** That has asked once, and read one partition. */
  static final String NEW = "newcomer";

  private static final int AT_ONCE = 1_000;
  private static final String PAYLOAD =
      "{\"amount\":12990,\"currency\":\"EUR\",\"by\":\"somebody\"}";

  private final BrokerClient client;
  private final int partitions;
  private final int queues;

  Filling(BrokerClient client, int partitions, int queues) {
    this.client = client;
    this.partitions = partitions;
    this.queues = queues;
  }

  static String queue(int number) {
    return "views-" + number;
  }

  void fill() {
    append("first");
    for (String group : BEHIND) {
      for (int queue = 0; queue < queues; queue++) {
        drain(queue(queue), group);
      }
    }
    append("second");
    append("third");
    for (int queue = 0; queue < queues; queue++) {
      Blocking.get(client.pop(queue(queue), "consumerGroup=" + NEW));
    }
  }

  /** One message to each partition. */
  private void append(String transaction) {
    for (int from = 0; from < partitions; from += AT_ONCE) {
      Bodies push = Bodies.push();
      for (int i = from; i < Math.min(partitions, from + AT_ONCE); i++) {
        push.item(queue(i % queues), "p" + i, transaction, PAYLOAD);
      }
      Blocking.get(client.push(push)).orThrow();
    }
  }

  private void drain(String queue, String group) {
    String query =
        "autoAck=true&batch=%1$d&partitions=%1$d&consumerGroup=%2$s".formatted(AT_ONCE, group);
    int got;
    do {
      got = Blocking.get(client.pop(queue, query)).size();
    } while (got > 0);
  }
}
