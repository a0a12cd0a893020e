/** What {@code queen} can do, one class a command; here those about brokers and the tool itself. */
@NullMarked
package dev.queenmq.cli.command;

import org.jspecify.annotations.NullMarked;
