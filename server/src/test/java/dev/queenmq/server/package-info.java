/** Tests of the broker as a whole. */
@NullMarked
package dev.queenmq.server;

import org.jspecify.annotations.NullMarked;
