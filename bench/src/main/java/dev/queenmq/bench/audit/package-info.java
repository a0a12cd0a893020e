/**
 * The audit: many producers and consumers straight on the store, who lose answers, die, lie and
 * repeat themselves, while a ledger keeps count of every message by its id and says what the store
 * did wrong.
 */
@NullMarked
package dev.queenmq.bench.audit;

import org.jspecify.annotations.NullMarked;
