/**
 * Where the broker of a test lives: its class loader, its PostgreSQL, its files. Not for users.
 *
 * <p>The types of this package are seen on both sides of the class loader.
 */
@NullMarked
package dev.queenmq.testkit.internal;

import org.jspecify.annotations.NullMarked;
