/** A PostgreSQL for the tests of this module. */
@NullMarked
package dev.queenmq.bench;

import org.jspecify.annotations.NullMarked;
