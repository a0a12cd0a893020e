/**
 * Other message systems for {@code bench compare}, each through its own client library. They are a
 * module of their own, which the usual build leaves out: the libraries are larger than the broker.
 */
@NullMarked
package dev.queenmq.bench.peers;

import org.jspecify.annotations.NullMarked;
