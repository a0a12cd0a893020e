/** Finds and leases messages, and decrypts them. */
@NullMarked
package dev.queenmq.server.store.pop;

import org.jspecify.annotations.NullMarked;
