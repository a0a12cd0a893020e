/**
 * Signed packets between brokers over UDP: codec, replay guard, transport. Knows bytes only, not
 * what they say, and no other package.
 *
 * <p>What arrives through here is a hint. Packets may be lost, late or out of order; those that are
 * forged, altered or repeated are dropped and counted.
 */
@NullMarked
package dev.queenmq.server.udpsync;

import org.jspecify.annotations.NullMarked;
