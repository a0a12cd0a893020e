package dev.queenmq.server.http.routing;

/** Where a route names the queues that it is about: a token may be good for some of them only. */
public enum QueueScope {
  /** Nowhere: it is about all of them, so it is not for a token that is good for some. */
  ALL,
  /** In its path, as {@code :queue}. */
  PATH,
  /** In its query, as {@code queue}; without it, it is about all of them. */
  QUERY,
  /** By a partition of it in its path, as {@code :partitionId}. */
  PARTITION,
  /** In its body, or in a way of its own: the handler asks the {@link RequestContext}. */
  HANDLER
}
