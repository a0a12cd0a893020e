package dev.queenmq.bench.http;

import io.vertx.core.Context;

/** The connections of one measurement. */
public interface Connections extends AutoCloseable {
  /** The event loop of a worker. */
  Context context(int worker);

  /** The producer of a worker, which sends to partitions at random. */
  MessageProducer producer(int worker, String queue, int partitions);

  /** One that goes through the partitions in turn, so that all of them hold equally many. */
  MessageProducer filler(int worker, String queue, int partitions);

  /** The consumer of a worker. */
  MessageConsumer consumer(int worker, String queue, Demand demand);

  /** Ends them; a consumer that waits gets an answer or a failure. */
  @Override
  void close();
}
