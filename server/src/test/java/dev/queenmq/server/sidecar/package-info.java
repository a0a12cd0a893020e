/** The sidecar against a real PostgreSQL. */
@NullMarked
package dev.queenmq.server.sidecar;

import org.jspecify.annotations.NullMarked;
