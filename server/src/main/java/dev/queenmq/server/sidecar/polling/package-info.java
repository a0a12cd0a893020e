/** Runs the waiting room on an event loop: polls, the tail feed, and the events that wake polls. */
@NullMarked
package dev.queenmq.server.sidecar.polling;

import org.jspecify.annotations.NullMarked;
