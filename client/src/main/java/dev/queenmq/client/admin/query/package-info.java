/** Which part of a list or of a history to ask for, and the part that comes back. */
@NullMarked
package dev.queenmq.client.admin.query;

import org.jspecify.annotations.NullMarked;
