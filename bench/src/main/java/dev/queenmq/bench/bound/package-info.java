/**
 * The smallest broker that is still honest: what HTTP and PostgreSQL allow on a machine. Messages
 * are on disk when a push is answered, a lease is stored before its messages go out, and an ack is
 * stored before it is answered. It has one consumer group and one process, and begins empty; it
 * checks no input and keeps no figures. It is for comparisons alone.
 */
@NullMarked
package dev.queenmq.bench.bound;

import org.jspecify.annotations.NullMarked;
