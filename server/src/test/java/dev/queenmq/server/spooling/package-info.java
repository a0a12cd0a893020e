/** Tests of what a broker does while PostgreSQL is away. */
@NullMarked
package dev.queenmq.server.spooling;

import org.jspecify.annotations.NullMarked;
