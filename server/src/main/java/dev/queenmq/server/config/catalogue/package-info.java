/** Every setting: its name, default, meaning, and how its text is read. */
@NullMarked
package dev.queenmq.server.config.catalogue;

import org.jspecify.annotations.NullMarked;
