/** Tests of the configuration. */
@NullMarked
package dev.queenmq.server.config;

import org.jspecify.annotations.NullMarked;
