/** What the broker is asked for and what it answers: records that its layers share. */
@NullMarked
package dev.queenmq.server.model;

import org.jspecify.annotations.NullMarked;
