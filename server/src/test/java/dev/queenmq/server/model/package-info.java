/** The shared records. */
@NullMarked
package dev.queenmq.server.model;

import org.jspecify.annotations.NullMarked;
