package dev.queenmq.server.sharedstate;

/**
 * Settings of a queue as of some version.
 *
 * @param version grows with every change of the queue, across brokers: the database's time of the
 *     change will do
 */
public record Versioned<S>(S settings, long version) {}
