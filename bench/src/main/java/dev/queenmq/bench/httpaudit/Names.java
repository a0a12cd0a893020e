package dev.queenmq.bench.httpaudit;

import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.BrokerUrl;

/**
 * What things are called in an audit.
 *
 * @param queue of this audit alone
 */
record Names(String queue) {
  static final String WITNESS = "witness";

  /** Where copies go. */
  String copies() {
    return queue + "-copies";
  }

  static String partition(int index) {
    return "p-" + index;
  }

  /** The group's name; the first consumes without one. */
  static String group(int index) {
    return index == 0 ? "" : "group-" + index;
  }

  String popAny(String group, String query) {
    return BrokerClient.popPath(queue) + "?" + query + parameter(group);
  }

  String popFrom(int partition, String group, String query) {
    return popFrom(queue, partition, group, query);
  }

  static String popFrom(String queue, int partition, String group, String query) {
    return BrokerClient.popPath(queue)
        + "/partition/"
        + BrokerUrl.encode(partition(partition))
        + "?"
        + query
        + parameter(group);
  }

  private static String parameter(String group) {
    return group.isEmpty() ? "" : "&consumerGroup=" + BrokerUrl.encode(group);
  }
}
