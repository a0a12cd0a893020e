/** Commands about queues and their partitions. */
@NullMarked
package dev.queenmq.cli.command.queues;

import org.jspecify.annotations.NullMarked;
