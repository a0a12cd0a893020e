/**
 * What a broker does while PostgreSQL is away: pushes go to the spool, and from there to PostgreSQL
 * as soon as it is back, in their order.
 */
@NullMarked
package dev.queenmq.server.spool;

import org.jspecify.annotations.NullMarked;
