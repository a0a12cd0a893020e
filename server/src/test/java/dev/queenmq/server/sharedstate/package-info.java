/** The hints, by a clock of our own. */
@NullMarked
package dev.queenmq.server.sharedstate;

import org.jspecify.annotations.NullMarked;
