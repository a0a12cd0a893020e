/**
 * Every operation on its way to the store: pending queues, slots, batching, ready lists and the
 * waiting room. One sidecar per event loop; what it owns is touched by that loop only.
 */
@NullMarked
package dev.queenmq.server.sidecar;

import org.jspecify.annotations.NullMarked;
