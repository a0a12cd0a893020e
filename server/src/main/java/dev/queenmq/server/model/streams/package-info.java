/** What stream processors ask for, and what became of it. */
@NullMarked
package dev.queenmq.server.model.streams;

import org.jspecify.annotations.NullMarked;
