/** The code of docs/testing.md. */
@NullMarked
package dev.queenmq.testkit.tour;

import org.jspecify.annotations.NullMarked;
