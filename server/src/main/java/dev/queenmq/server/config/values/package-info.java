/** The values that settings can have. */
@NullMarked
package dev.queenmq.server.config.values;

import org.jspecify.annotations.NullMarked;
