/**
 * The torture: brokers and a PostgreSQL of its own, faults one after the other in a seeded order
 * under load, an audit by message id, and one table in the end.
 */
@NullMarked
package dev.queenmq.bench.torture;

import org.jspecify.annotations.NullMarked;
