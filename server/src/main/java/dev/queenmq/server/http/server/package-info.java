/** Sockets, TLS, limits, CORS: what is the same for all requests. */
@NullMarked
package dev.queenmq.server.http.server;

import org.jspecify.annotations.NullMarked;
