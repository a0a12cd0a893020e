/** What tests share: a real PostgreSQL, a fresh database each, and a way to wait. */
@NullMarked
package dev.queenmq.server.testing;

import org.jspecify.annotations.NullMarked;
