/**
 * Files and folders as the embedded PostgreSQL needs them: private, locked, deleted with all that
 * is in them.
 */
@NullMarked
package dev.queenmq.embedded.files;

import org.jspecify.annotations.NullMarked;
