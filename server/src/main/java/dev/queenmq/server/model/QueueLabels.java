package dev.queenmq.server.model;

/**
 * What decides which consumers a queue is served to by label, and before which other queues.
 *
 * @param namespace empty if it has none
 * @param task empty if it has none
 */
public record QueueLabels(String namespace, String task, int priority) {}
