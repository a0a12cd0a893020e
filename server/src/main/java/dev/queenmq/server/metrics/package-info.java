/** Metrics: the figures of a broker's sidecars and of its process, as text and JSON. */
@NullMarked
package dev.queenmq.server.metrics;

import org.jspecify.annotations.NullMarked;
