/** Consumer groups: their progress and their leases. */
@NullMarked
package dev.queenmq.client.admin.groups;

import org.jspecify.annotations.NullMarked;
