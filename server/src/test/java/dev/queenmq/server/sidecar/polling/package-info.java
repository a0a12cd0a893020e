/** Polls on an event loop. */
@NullMarked
package dev.queenmq.server.sidecar.polling;

import org.jspecify.annotations.NullMarked;
