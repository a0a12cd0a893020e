/** Who is there, and what they may do. */
@NullMarked
package dev.queenmq.server.auth;

import org.jspecify.annotations.NullMarked;
