package dev.queenmq.client.admin.system;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What became of the request to sum up all partitions now.
 *
 * @param running whether it still goes on
 * @param skipped whether another broker does it at the moment
 * @param partitions that were summed up
 * @param queues that were summed up
 * @param details all that the broker said
 */
public record RefreshResult(
    boolean running, boolean skipped, long partitions, long queues, JsonNode details) {}
