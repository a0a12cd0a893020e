/** Moves messages to the dead letters, redrives and purges them. */
@NullMarked
package dev.queenmq.server.store.deadletters;

import org.jspecify.annotations.NullMarked;
