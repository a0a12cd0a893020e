/** Messages that were pushed a moment ago, kept for the pops that follow. */
@NullMarked
package dev.queenmq.server.store.recent;

import org.jspecify.annotations.NullMarked;
