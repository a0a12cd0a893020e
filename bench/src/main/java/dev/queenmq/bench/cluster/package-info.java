/**
 * Several brokers on one PostgreSQL: what the messages between them cost and bring, and what
 * clients see of it when brokers die, are restarted, or hear nonsense.
 */
@NullMarked
package dev.queenmq.bench.cluster;

import org.jspecify.annotations.NullMarked;
