/** Whether the tail and the lists of leases stay small under a steady rate of pushes and pops. */
@NullMarked
package dev.queenmq.bench.tail;

import org.jspecify.annotations.NullMarked;
