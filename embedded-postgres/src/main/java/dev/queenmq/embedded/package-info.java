/**
 * An embedded PostgreSQL: unpacks it, starts it on loopback with durable settings, and stops it.
 * All of it blocks, and belongs to start-up and shut-down only.
 */
@NullMarked
package dev.queenmq.embedded;

import org.jspecify.annotations.NullMarked;
