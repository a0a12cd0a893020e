/** Stream processors: their queries, cycles and state. */
@NullMarked
package dev.queenmq.client.admin.streams;

import org.jspecify.annotations.NullMarked;
