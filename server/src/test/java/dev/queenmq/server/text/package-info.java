/** Tests of the shared functions on text. */
@NullMarked
package dev.queenmq.server.text;

import org.jspecify.annotations.NullMarked;
