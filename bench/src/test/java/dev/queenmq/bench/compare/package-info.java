/** The comparison with other systems runs, and its table is right. */
@NullMarked
package dev.queenmq.bench.compare;

import org.jspecify.annotations.NullMarked;
