/** From a request to the route that answers it: paths, queries, bodies, authorization, audit. */
@NullMarked
package dev.queenmq.server.http.routing;

import org.jspecify.annotations.NullMarked;
