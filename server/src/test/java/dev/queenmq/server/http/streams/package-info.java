/** A whole broker and stream processors. */
@NullMarked
package dev.queenmq.server.http.streams;

import org.jspecify.annotations.NullMarked;
