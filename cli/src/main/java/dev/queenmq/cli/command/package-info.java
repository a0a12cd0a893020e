/** What {@code queen} can do, one class for each command. */
@NullMarked
package dev.queenmq.cli.command;

import org.jspecify.annotations.NullMarked;
