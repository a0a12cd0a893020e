/** Clients that misuse a broker: slow ones, greedy ones, and floods of requests. */
@NullMarked
package dev.queenmq.bench.torture.hostile;

import org.jspecify.annotations.NullMarked;
