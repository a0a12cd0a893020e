/** Tests of what people install. */
@NullMarked
package dev.queenmq.dist;

import org.jspecify.annotations.NullMarked;
