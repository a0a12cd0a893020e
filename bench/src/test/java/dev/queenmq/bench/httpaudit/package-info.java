/** A short audit through real sockets. */
@NullMarked
package dev.queenmq.bench.httpaudit;

import org.jspecify.annotations.NullMarked;
