/** Reading and writing JSON. */
@NullMarked
package dev.queenmq.server.http.json;

import org.jspecify.annotations.NullMarked;
