/**
 * Processes of the operating system: who runs them, how they are started, found again and ended.
 */
@NullMarked
package dev.queenmq.embedded.process;

import org.jspecify.annotations.NullMarked;
