/** Packets, their guard, and transports on loopback. */
@NullMarked
package dev.queenmq.server.udpsync;

import org.jspecify.annotations.NullMarked;
