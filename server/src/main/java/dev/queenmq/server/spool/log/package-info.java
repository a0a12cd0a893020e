/**
 * The disk buffer for messages while PostgreSQL is away: a log of our own in a local folder, synced
 * before a caller is answered. Knows neither HTTP nor SQL, nor its callers.
 */
@NullMarked
package dev.queenmq.server.spool.log;

import org.jspecify.annotations.NullMarked;
