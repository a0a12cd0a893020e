/**
 * Read models: what operators and their tools see of queues, partitions and groups. Every number is
 * worked out when it is asked for, at a cost that grows with partitions, never with messages.
 */
@NullMarked
package dev.queenmq.server.admin;

import org.jspecify.annotations.NullMarked;
