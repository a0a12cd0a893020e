package dev.queenmq.client.admin.status;

import org.jspecify.annotations.Nullable;

/**
 * What a broker keeps on its disk until PostgreSQL takes it.
 *
 * @param pending messages that wait
 * @param failed messages that PostgreSQL did not take
 * @param dbHealthy whether PostgreSQL answers
 * @param note says so if the broker has no spool
 */
public record SpoolStatus(long pending, long failed, boolean dbHealthy, @Nullable String note) {}
