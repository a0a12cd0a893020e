/** How long single statements take on a queue with very many partitions. */
@NullMarked
package dev.queenmq.bench.partitions;

import org.jspecify.annotations.NullMarked;
