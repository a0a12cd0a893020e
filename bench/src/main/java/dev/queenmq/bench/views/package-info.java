/** How fast operators' pages are where there are many partitions. */
@NullMarked
package dev.queenmq.bench.views;

import org.jspecify.annotations.NullMarked;
