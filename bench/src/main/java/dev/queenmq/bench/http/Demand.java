package dev.queenmq.bench.http;

/**
 * What a consumer asks for.
 *
 * @param group its consumer group; empty: none
 * @param batch how many messages at most at a time, taken and not yet acked
 * @param waits whether it waits for messages and takes the first that come; else the queue is full,
 *     and a batch that is not may be waited for
 */
public record Demand(String group, int batch, boolean waits) {}
