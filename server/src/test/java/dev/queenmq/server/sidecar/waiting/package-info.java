/** The waiting room in virtual time. */
@NullMarked
package dev.queenmq.server.sidecar.waiting;

import org.jspecify.annotations.NullMarked;
