/** Queues: their options, partitions, labels and counts. */
@NullMarked
package dev.queenmq.client.admin.queues;

import org.jspecify.annotations.NullMarked;
