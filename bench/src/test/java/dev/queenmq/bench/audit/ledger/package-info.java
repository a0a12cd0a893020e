/** Each violation is found, and only where there is one. */
@NullMarked
package dev.queenmq.bench.audit.ledger;

import org.jspecify.annotations.NullMarked;
