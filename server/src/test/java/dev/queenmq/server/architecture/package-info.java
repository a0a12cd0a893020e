/** What the code may not do, held by tests. */
@NullMarked
package dev.queenmq.server.architecture;

import org.jspecify.annotations.NullMarked;
