/**
 * How log lines are written: whatever they are about, none can look like another, and none can be
 * caused without end.
 */
@NullMarked
package dev.queenmq.server.logging;

import org.jspecify.annotations.NullMarked;
