/** The line to PostgreSQL: how to connect, what stands in between, and whether it answers. */
@NullMarked
package dev.queenmq.server.postgres;

import org.jspecify.annotations.NullMarked;
