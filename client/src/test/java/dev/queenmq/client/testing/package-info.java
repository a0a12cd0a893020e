/** A broker, a database and a bad line for tests. */
@NullMarked
package dev.queenmq.client.testing;

import org.jspecify.annotations.NullMarked;
