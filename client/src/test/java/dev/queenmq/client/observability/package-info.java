/** Metrics and traces, against a real broker. */
@NullMarked
package dev.queenmq.client.observability;

import org.jspecify.annotations.NullMarked;
