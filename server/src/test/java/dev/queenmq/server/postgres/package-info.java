/** Tests of the line to PostgreSQL. */
@NullMarked
package dev.queenmq.server.postgres;

import org.jspecify.annotations.NullMarked;
