/** Collects requests of one kind into calls of the store, and splits the answers. */
@NullMarked
package dev.queenmq.server.sidecar.lane;

import org.jspecify.annotations.NullMarked;
