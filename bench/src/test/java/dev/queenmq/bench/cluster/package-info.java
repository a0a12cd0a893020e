/** A short audit through real sockets. */
@NullMarked
package dev.queenmq.bench.cluster;

import org.jspecify.annotations.NullMarked;
