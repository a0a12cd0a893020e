package dev.queenmq.server;

import dev.queenmq.server.broker.BrokerException;
import dev.queenmq.server.http.routing.QueueNames;
import dev.queenmq.server.model.QueueLabels;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Before PostgreSQL is reached, ids cannot be resolved to queues, so tokens that are limited to
 * some queues may not use ids.
 */
final class UnknownQueues implements QueueNames {

  @Override
  public Future<List<String>> ofPartitions(Collection<UUID> partitionIds) {
    return unknown();
  }

  @Override
  public Future<List<String>> ofLease(UUID leaseId) {
    return unknown();
  }

  @Override
  public Future<List<String>> ofStream(String name) {
    return unknown();
  }

  @Override
  public Future<List<String>> ofQuery(UUID queryId) {
    return unknown();
  }

  @Override
  public Future<Optional<QueueLabels>> labels(String queue) {
    return unknown();
  }

  private static <T> Future<T> unknown() {
    return Future.failedFuture(
        new BrokerException(
            BrokerException.Kind.UNAVAILABLE, "The broker has not reached PostgreSQL yet"));
  }
}
