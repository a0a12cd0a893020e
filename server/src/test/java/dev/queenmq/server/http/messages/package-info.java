/** The bodies of push, pop, ack and transactions. */
@NullMarked
package dev.queenmq.server.http.messages;

import org.jspecify.annotations.NullMarked;
