/** The broker: wiring, start and stop. Everything below is one package per concern. */
@NullMarked
package dev.queenmq.server;

import org.jspecify.annotations.NullMarked;
