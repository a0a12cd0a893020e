/** Counters of a sidecar. */
@NullMarked
package dev.queenmq.server.sidecar.figures;

import org.jspecify.annotations.NullMarked;
