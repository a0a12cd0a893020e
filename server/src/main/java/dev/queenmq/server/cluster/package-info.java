/** Several brokers on one database: shared state and the UDP transport, wired together. */
@NullMarked
package dev.queenmq.server.cluster;

import org.jspecify.annotations.NullMarked;
