/** The store under concurrent transactions: late commits, lock orders, races for one cursor. */
@NullMarked
package dev.queenmq.bench.concurrency;

import org.jspecify.annotations.NullMarked;
