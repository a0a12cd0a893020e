/** Connections to PostgreSQL: how to connect, poolers, and whether it answers. */
@NullMarked
package dev.queenmq.server.postgres;

import org.jspecify.annotations.NullMarked;
