package dev.queenmq.client.admin.queues;

import com.fasterxml.jackson.annotation.JsonAlias;

/**
 * Sums over the queues of a namespace or of a task.
 *
 * @param name of the namespace or task
 * @param queues how many there are
 * @param partitions of these queues
 * @param messages of these queues: only {@code total} and {@code pending} are counted
 */
public record LabelSummary(
    @JsonAlias({"namespace", "task"}) String name,
    long queues,
    long partitions,
    MessageCounts messages) {}
