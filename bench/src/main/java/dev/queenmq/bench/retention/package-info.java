/** What retention costs those who push and pop meanwhile, and whether it takes only what it may. */
@NullMarked
package dev.queenmq.bench.retention;

import org.jspecify.annotations.NullMarked;
