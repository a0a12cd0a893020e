/** Unpacks the archive of a bundled PostgreSQL. */
@NullMarked
package dev.queenmq.embedded.archive;

import org.jspecify.annotations.NullMarked;
