/** Tests of the command line, against a real broker. */
@NullMarked
package dev.queenmq.cli;

import org.jspecify.annotations.NullMarked;
