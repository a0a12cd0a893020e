/**
 * What an audit knows about every message: what was pushed, delivered and acknowledged, and which
 * guarantees that breaks.
 */
@NullMarked
package dev.queenmq.bench.audit.ledger;

import org.jspecify.annotations.NullMarked;
