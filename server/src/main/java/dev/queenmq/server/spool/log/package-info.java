/**
 * The disk buffer for messages while PostgreSQL is away: a log of our own in a local folder, synced
 * before anybody is answered. Knows neither HTTP nor SQL, and nothing of who fills and drains it.
 */
@NullMarked
package dev.queenmq.server.spool.log;

import org.jspecify.annotations.NullMarked;
