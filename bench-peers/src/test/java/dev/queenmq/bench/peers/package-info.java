/** What is between the clients of other systems and the measurements. */
@NullMarked
package dev.queenmq.bench.peers;

import org.jspecify.annotations.NullMarked;
