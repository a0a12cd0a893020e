/** Push, pop, ack, transactions, leases and queue configuration. */
@NullMarked
package dev.queenmq.server.http.messages;

import org.jspecify.annotations.NullMarked;
