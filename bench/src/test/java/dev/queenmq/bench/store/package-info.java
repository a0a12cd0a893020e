/** The benchmark runs, and hot statements do not scan. */
@NullMarked
package dev.queenmq.bench.store;

import org.jspecify.annotations.NullMarked;
