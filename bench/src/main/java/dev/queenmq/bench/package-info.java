/**
 * Programs that measure the store and try to break it. Each brings a PostgreSQL of its own in a
 * temporary folder and leaves nothing behind.
 */
@NullMarked
package dev.queenmq.bench;

import org.jspecify.annotations.NullMarked;
