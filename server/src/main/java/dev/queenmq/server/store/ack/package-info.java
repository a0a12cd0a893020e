/** Completes, fails and extends leases. */
@NullMarked
package dev.queenmq.server.store.ack;

import org.jspecify.annotations.NullMarked;
