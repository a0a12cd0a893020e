/** The disk buffer: how fast it takes messages, and whether it loses one when its broker dies. */
@NullMarked
package dev.queenmq.bench.spool;

import org.jspecify.annotations.NullMarked;
