/** A whole broker as operators see it. */
@NullMarked
package dev.queenmq.server.http.admin;

import org.jspecify.annotations.NullMarked;
