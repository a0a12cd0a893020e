/** What docs/client.md shows, so that it compiles and runs. */
@NullMarked
package dev.queenmq.client.tour;

import org.jspecify.annotations.NullMarked;
