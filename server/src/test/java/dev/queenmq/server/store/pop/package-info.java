/** Pops against a real PostgreSQL. */
@NullMarked
package dev.queenmq.server.store.pop;

import org.jspecify.annotations.NullMarked;
