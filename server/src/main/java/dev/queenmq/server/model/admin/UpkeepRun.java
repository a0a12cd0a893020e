package dev.queenmq.server.model.admin;

import java.time.Instant;
import java.util.Optional;

/**
 * A run of a job of upkeep that has ended.
 *
 * @param removed by all its steps, whichever broker took them
 * @param error what stopped it
 */
public record UpkeepRun(
    String job, Instant started, Instant ended, long removed, Optional<String> error) {}
