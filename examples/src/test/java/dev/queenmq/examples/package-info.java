/** Runs the examples. */
@NullMarked
package dev.queenmq.examples;

import org.jspecify.annotations.NullMarked;
