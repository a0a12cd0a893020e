/**
 * Spans of requests and of calls of PostgreSQL, sent to a collector by OTLP over HTTP, in JSON. No
 * class of this package is loaded while tracing is off.
 */
@NullMarked
package dev.queenmq.server.tracing;

import org.jspecify.annotations.NullMarked;
