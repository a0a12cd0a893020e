/** How annotated methods become consumers. */
@NullMarked
package dev.queenmq.spring.listener;

import org.jspecify.annotations.NullMarked;
