/** Traces of a client by OpenTelemetry. Needs {@code io.opentelemetry:opentelemetry-api}. */
@NullMarked
package dev.queenmq.client.opentelemetry;

import org.jspecify.annotations.NullMarked;
