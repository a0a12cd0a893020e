/** What retention costs concurrent pushes and pops, and whether it removes only what it may. */
@NullMarked
package dev.queenmq.bench.retention;

import org.jspecify.annotations.NullMarked;
