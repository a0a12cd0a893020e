/** A whole broker and its background work. */
@NullMarked
package dev.queenmq.server.upkeep;

import org.jspecify.annotations.NullMarked;
