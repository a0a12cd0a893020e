/** JSON over HTTP: routes, status codes, bodies. Knows no SQL. */
@NullMarked
package dev.queenmq.server.http;

import org.jspecify.annotations.NullMarked;
