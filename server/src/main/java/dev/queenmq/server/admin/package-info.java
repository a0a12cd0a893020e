/**
 * Read models: what operators and their tools see of queues, partitions and groups. Numbers are
 * worked out when they are asked for, at a cost that grows with partitions, never with messages;
 * where there are many partitions, sums are those of some seconds ago.
 */
@NullMarked
package dev.queenmq.server.admin;

import org.jspecify.annotations.NullMarked;
