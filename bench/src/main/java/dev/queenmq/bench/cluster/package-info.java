/**
 * Several brokers on one PostgreSQL: what it costs and brings that they tell each other, and what
 * clients see of it when brokers die, are restarted, or hear nonsense.
 */
@NullMarked
package dev.queenmq.bench.cluster;

import org.jspecify.annotations.NullMarked;
