/** Observations with Micrometer; loaded only where it is on the class path. */
@NullMarked
package dev.queenmq.spring.observation;

import org.jspecify.annotations.NullMarked;
