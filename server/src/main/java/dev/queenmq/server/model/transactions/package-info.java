/** Transactions: pushes and acks that happen together or not at all. */
@NullMarked
package dev.queenmq.server.model.transactions;

import org.jspecify.annotations.NullMarked;
