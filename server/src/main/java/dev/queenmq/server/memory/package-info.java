/** How much memory requests may hold at the same time. */
@NullMarked
package dev.queenmq.server.memory;

import org.jspecify.annotations.NullMarked;
