/** Pushes against a real PostgreSQL. */
@NullMarked
package dev.queenmq.server.store.push;

import org.jspecify.annotations.NullMarked;
