package dev.queenmq.server.broker;

import java.util.List;
import java.util.Map;

/**
 * What one event loop did in a minute so far, and since it started.
 *
 * @param worker its number
 * @param queues one number for each {@link QueueFigure}, by queue
 * @param counts one number for each {@link WorkerFigure}
 * @param loopDelaySum by which it ran late, in milliseconds, of all looks together
 * @param loopDelayMax by which it ran late at most, in milliseconds
 * @param totals since the start, the first ten of {@link WorkerFigure}
 */
public record TrafficSnapshot(
    int worker,
    Map<String, List<Long>> queues,
    List<Long> counts,
    double loopDelaySum,
    double loopDelayMax,
    List<Long> totals) {}
