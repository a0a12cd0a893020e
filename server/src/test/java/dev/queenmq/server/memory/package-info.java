/** Tests of how memory is counted. */
@NullMarked
package dev.queenmq.server.memory;

import org.jspecify.annotations.NullMarked;
