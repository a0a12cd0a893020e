/** Tests of clients that misuse a broker. */
@NullMarked
package dev.queenmq.bench.torture.hostile;

import org.jspecify.annotations.NullMarked;
