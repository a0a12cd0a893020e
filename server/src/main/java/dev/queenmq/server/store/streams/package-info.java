/** Cycles, queries and state of stream processors. */
@NullMarked
package dev.queenmq.server.store.streams;

import org.jspecify.annotations.NullMarked;
