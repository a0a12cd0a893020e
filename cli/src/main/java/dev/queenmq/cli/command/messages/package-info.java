/** Commands that push, consume, show and move messages. */
@NullMarked
package dev.queenmq.cli.command.messages;

import org.jspecify.annotations.NullMarked;
