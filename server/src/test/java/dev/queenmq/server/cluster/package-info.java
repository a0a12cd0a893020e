/** Several brokers. */
@NullMarked
package dev.queenmq.server.cluster;

import org.jspecify.annotations.NullMarked;
