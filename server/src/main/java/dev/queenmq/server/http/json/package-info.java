/** Reads and writes JSON bodies, and checks what clients send. */
@NullMarked
package dev.queenmq.server.http.json;

import org.jspecify.annotations.NullMarked;
