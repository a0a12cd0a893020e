/**
 * What a broker does, as interfaces. The HTTP routes call them; sidecars and the spool implement
 * them. Also what a broker needs from outside: its peers and the directory of queues.
 */
@NullMarked
package dev.queenmq.server.broker;

import org.jspecify.annotations.NullMarked;
