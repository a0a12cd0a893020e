/** A whole broker against the HTTP contract. */
@NullMarked
package dev.queenmq.server.http.contract;

import org.jspecify.annotations.NullMarked;
