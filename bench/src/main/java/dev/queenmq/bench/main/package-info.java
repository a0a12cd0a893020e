/** The command line: lists all programs, and starts one. The other packages do not know it. */
@NullMarked
package dev.queenmq.bench.main;

import org.jspecify.annotations.NullMarked;
