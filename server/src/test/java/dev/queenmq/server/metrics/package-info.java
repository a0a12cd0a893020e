/** Tests of the metrics. */
@NullMarked
package dev.queenmq.server.metrics;

import org.jspecify.annotations.NullMarked;
