package dev.queenmq.server.config;

import dev.queenmq.server.config.values.Secret;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/**
 * Where spans go, and which.
 *
 * @param endpoint of the collector, for spans
 * @param headers of each request to it; may have tokens in them
 * @param timeout of such a request
 * @param resource what the spans say of this process
 * @param sampler by its standard name
 * @param ratio of traces that it keeps, if it is one that keeps a share
 * @param delay between two requests to the collector
 * @param maxQueue spans that may wait; more are dropped
 * @param maxBatch spans of one request to the collector
 */
public record TracingConfig(
    URI endpoint,
    Map<String, Secret> headers,
    Duration timeout,
    Map<String, String> resource,
    String sampler,
    double ratio,
    Duration delay,
    int maxQueue,
    int maxBatch) {}
