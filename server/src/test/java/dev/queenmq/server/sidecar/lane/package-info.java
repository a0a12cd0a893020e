/** Lanes on virtual time. */
@NullMarked
package dev.queenmq.server.sidecar.lane;

import org.jspecify.annotations.NullMarked;
