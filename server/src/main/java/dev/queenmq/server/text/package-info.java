/** Pure functions on text that several packages share. */
@NullMarked
package dev.queenmq.server.text;

import org.jspecify.annotations.NullMarked;
