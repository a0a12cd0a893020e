/** The cost of consumers that wait for messages that do not come. */
@NullMarked
package dev.queenmq.bench.waiting;

import org.jspecify.annotations.NullMarked;
