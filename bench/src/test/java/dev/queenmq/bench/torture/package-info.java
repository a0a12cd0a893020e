/** Tests of the torture itself, and a short one of the broker. */
@NullMarked
package dev.queenmq.bench.torture;

import org.jspecify.annotations.NullMarked;
