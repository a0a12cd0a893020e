/** Tests of how brokers are started. */
@NullMarked
package dev.queenmq.bench.broker;

import org.jspecify.annotations.NullMarked;
