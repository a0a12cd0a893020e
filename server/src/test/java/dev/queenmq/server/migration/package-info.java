/** Tests of the migrations. */
@NullMarked
package dev.queenmq.server.migration;

import org.jspecify.annotations.NullMarked;
