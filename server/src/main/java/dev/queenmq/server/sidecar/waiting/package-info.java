/**
 * The waiting room: which polls wait, what is believed of the partitions they wait for, and when
 * PostgreSQL is asked. A pure state machine; {@link dev.queenmq.server.sidecar.waiting.WaitingRoom}
 * opens with how it works.
 */
@NullMarked
package dev.queenmq.server.sidecar.waiting;

import org.jspecify.annotations.NullMarked;
