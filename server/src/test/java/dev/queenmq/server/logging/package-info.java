/** Log lines. */
@NullMarked
package dev.queenmq.server.logging;

import org.jspecify.annotations.NullMarked;
