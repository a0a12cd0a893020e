/**
 * What is done in the background for all brokers by one of them at a time: retention, eviction,
 * removal of what nobody needs any more. The work itself is done by stored procedures, a small
 * transaction at a time; here is who does it, when, and how fast.
 */
@NullMarked
package dev.queenmq.server.upkeep;

import org.jspecify.annotations.NullMarked;
