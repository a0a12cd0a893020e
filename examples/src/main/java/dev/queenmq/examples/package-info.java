/** Small programs with the Java client. Each has a {@code main} and ends by itself. */
@NullMarked
package dev.queenmq.examples;

import org.jspecify.annotations.NullMarked;
