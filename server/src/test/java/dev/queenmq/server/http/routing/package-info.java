/** Request lines and bodies. */
@NullMarked
package dev.queenmq.server.http.routing;

import org.jspecify.annotations.NullMarked;
