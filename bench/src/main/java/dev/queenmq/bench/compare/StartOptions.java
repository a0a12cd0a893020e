package dev.queenmq.bench.compare;

import dev.queenmq.bench.PostgresOptions;
import dev.queenmq.bench.http.Plan;
import java.io.PrintWriter;

/**
 * What a system needs to know when it starts.
 *
 * @param postgres which PostgreSQL, and where all data go
 * @param progress where measurements say how it goes
 */
public record StartOptions(PostgresOptions postgres, Plan plan, PrintWriter progress) {}
