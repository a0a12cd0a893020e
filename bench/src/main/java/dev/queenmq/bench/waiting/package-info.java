/** What consumers cost who wait for messages that do not come. */
@NullMarked
package dev.queenmq.bench.waiting;

import org.jspecify.annotations.NullMarked;
