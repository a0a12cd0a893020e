/** How fast the store is, in ratios to plain tables measured in the same run. */
@NullMarked
package dev.queenmq.bench.store;

import org.jspecify.annotations.NullMarked;
