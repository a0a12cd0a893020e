/** How log lines are written: whatever they are about, none can look like another. */
@NullMarked
package dev.queenmq.server.logging;

import org.jspecify.annotations.NullMarked;
