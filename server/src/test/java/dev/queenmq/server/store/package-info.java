/** The store against a real PostgreSQL. */
@NullMarked
package dev.queenmq.server.store;

import org.jspecify.annotations.NullMarked;
