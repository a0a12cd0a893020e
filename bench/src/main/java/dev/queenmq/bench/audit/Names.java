package dev.queenmq.bench.audit;

/** What things are called in an audit. */
final class Names {
  static final String QUEUE = "audit";
  static final String OUT_QUEUE = "audit-out";
  static final String TRANSACTION_GROUP = "in-transactions";
  static final String AUTO_GROUP = "auto";
  private static final int OUT_PARTITIONS = 7;

  /** A transaction id taken apart. */
  record PushedAs(int producer, int partition, int sequence) {}

  private Names() {}

  static String partition(int index) {
    return "p-" + index;
  }

  static int partitionIndex(String name) {
    return Integer.parseInt(name.substring(2));
  }

  static String transactionId(int producer, int partition, int sequence) {
    return producer + "-" + partition + "-" + sequence;
  }

  static PushedAs parse(String transactionId) {
    String[] parts = transactionId.split("-", -1);
    return new PushedAs(
        Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
  }

  static String group(int index) {
    return "group-" + index;
  }

  static String outPartition(String partition) {
    return "out-" + partitionIndex(partition) % OUT_PARTITIONS;
  }

  static String outTransactionId(String partition, long offset) {
    return partition + ":" + offset;
  }
}
