/**
 * The command line: arguments in, tables or JSON out.
 *
 * <p>{@link dev.queenmq.cli.Cli} reads arguments, {@link dev.queenmq.cli.Session} knows which
 * broker to ask, the classes in {@code command} do the work, one class for each command.
 */
@NullMarked
package dev.queenmq.cli;

import org.jspecify.annotations.NullMarked;
