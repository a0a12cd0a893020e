/**
 * What brokers tell each other and remember: versions of queues, who has consumers, partition ids,
 * who leases what, who is alive. Knows neither HTTP nor SQL nor sockets: it is given loaders and a
 * link.
 *
 * <p>The golden rule: every cache here is a hint, and PostgreSQL is the truth. What is missing,
 * stale or plainly wrong may cost time, never a message, an order or a duplicate. Whoever asks must
 * be able to do without the answer.
 */
@NullMarked
package dev.queenmq.server.sharedstate;

import org.jspecify.annotations.NullMarked;
