/**
 * JSON over HTTP: routes, status codes, bodies. Knows no SQL.
 *
 * <p>A request goes through {@link dev.queenmq.server.http.RouteTable} to a handler; {@code
 * Uploads} takes in its body; a {@code ...Codec} turns that into the store's records by way of
 * {@code ...Draft}s (what was said) and checks (whether it makes sense), so that broken JSON is
 * told before wrong fields are; the broker answers, and the codec writes.
 */
@NullMarked
package dev.queenmq.server.http;

import org.jspecify.annotations.NullMarked;
