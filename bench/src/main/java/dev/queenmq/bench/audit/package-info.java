/**
 * The audit: producers and consumers that lose answers, die, come late and repeat themselves, while
 * a ledger keeps count of every message by its id and says what was done wrong. They reach the
 * store directly, as brokers do ({@link dev.queenmq.bench.audit.StoreFront}), or through HTTP
 * ({@link dev.queenmq.bench.audit.HttpFront}); all else is the same.
 */
@NullMarked
package dev.queenmq.bench.audit;

import org.jspecify.annotations.NullMarked;
