package dev.queenmq.server.migration;

import java.time.Duration;
import java.util.List;

/**
 * What a run did.
 *
 * @param migrations file names that this run applied
 * @param procedures names that this run created or replaced
 * @param newer migrations in the database that only a newer release knows
 * @param retries attempts that met a lock or a lost connection before the one that succeeded
 * @param took from the first connection to the last commit
 */
public record MigrationReport(
    List<String> migrations,
    List<String> procedures,
    List<String> newer,
    int retries,
    Duration took) {}
