/** Commands about consumer groups and their leases. */
@NullMarked
package dev.queenmq.cli.command.groups;

import org.jspecify.annotations.NullMarked;
