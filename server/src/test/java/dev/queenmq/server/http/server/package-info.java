/** The HTTP server over real connections. */
@NullMarked
package dev.queenmq.server.http.server;

import org.jspecify.annotations.NullMarked;
