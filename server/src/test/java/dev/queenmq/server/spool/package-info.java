/** Tests of what a broker does while PostgreSQL is away. */
@NullMarked
package dev.queenmq.server.spool;

import org.jspecify.annotations.NullMarked;
