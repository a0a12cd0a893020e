/** The statements of background work: retention, eviction, re-encryption. */
@NullMarked
package dev.queenmq.server.store.upkeep;

import org.jspecify.annotations.NullMarked;
