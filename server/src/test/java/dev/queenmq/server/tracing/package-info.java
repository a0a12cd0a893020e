@NullMarked
package dev.queenmq.server.tracing;

import org.jspecify.annotations.NullMarked;
