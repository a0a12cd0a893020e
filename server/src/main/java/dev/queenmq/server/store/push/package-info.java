/**
 * Appends messages: the plain statement, the procedure, and the memory of recent transaction ids.
 */
@NullMarked
package dev.queenmq.server.store.push;

import org.jspecify.annotations.NullMarked;
