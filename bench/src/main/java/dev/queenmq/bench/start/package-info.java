/** How fast a broker starts, and how fast it is at first. */
@NullMarked
package dev.queenmq.bench.start;

import org.jspecify.annotations.NullMarked;
