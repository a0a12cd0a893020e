/** Metrics of a client in a Micrometer registry. Needs {@code io.micrometer:micrometer-core}. */
@NullMarked
package dev.queenmq.client.micrometer;

import org.jspecify.annotations.NullMarked;
