package dev.queenmq.server.model.admin;

import java.util.Optional;

/**
 * Create a queue or change it.
 *
 * @param merge change only what is given; otherwise what is not given goes back to its default
 */
public record QueueConfiguration(
    String queue,
    Optional<String> namespace,
    Optional<String> task,
    QueueOptions options,
    boolean merge) {}
