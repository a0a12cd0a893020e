/**
 * What brokers share and cache: versions of queues, which brokers have consumers, partition ids,
 * leases of other brokers, which brokers are alive. Knows neither HTTP nor SQL nor sockets: it is
 * given loaders and a link.
 *
 * <p>Every cache here is a hint, and PostgreSQL is the truth. An entry that is missing, stale or
 * wrong may cost time, never a message, the order or a duplicate. Callers must be able to do
 * without an answer.
 */
@NullMarked
package dev.queenmq.server.sharedstate;

import org.jspecify.annotations.NullMarked;
