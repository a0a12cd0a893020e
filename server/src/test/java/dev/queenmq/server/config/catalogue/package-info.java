/** The settings. */
@NullMarked
package dev.queenmq.server.config.catalogue;

import org.jspecify.annotations.NullMarked;
