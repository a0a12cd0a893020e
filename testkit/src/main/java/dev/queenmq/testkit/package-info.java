/**
 * A real broker on a real PostgreSQL inside a test. Start at {@link
 * dev.queenmq.testkit.EmbeddedQueen}, or with JUnit at {@link dev.queenmq.testkit.QueenTest}.
 */
@NullMarked
package dev.queenmq.testkit;

import org.jspecify.annotations.NullMarked;
