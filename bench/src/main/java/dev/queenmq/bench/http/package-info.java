/**
 * Measures any broker that speaks the HTTP contract, from outside: rates, latencies, and what the
 * processes behind it cost.
 */
@NullMarked
package dev.queenmq.bench.http;

import org.jspecify.annotations.NullMarked;
