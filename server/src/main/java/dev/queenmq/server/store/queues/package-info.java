/** Configures, clears and deletes queues and partitions. */
@NullMarked
package dev.queenmq.server.store.queues;

import org.jspecify.annotations.NullMarked;
