/**
 * What is done in the background for all brokers by one of them at a time: retention, eviction,
 * cleanup. The work itself is done by stored procedures, a small transaction at a time; this
 * package decides which broker does it, when, and how fast.
 */
@NullMarked
package dev.queenmq.server.upkeep;

import org.jspecify.annotations.NullMarked;
