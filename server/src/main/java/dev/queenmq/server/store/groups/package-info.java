/** Moves, pauses and deletes consumer groups. */
@NullMarked
package dev.queenmq.server.store.groups;

import org.jspecify.annotations.NullMarked;
