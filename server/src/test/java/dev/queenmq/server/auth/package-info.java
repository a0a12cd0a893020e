/** Tests of tokens and rights. */
@NullMarked
package dev.queenmq.server.auth;

import org.jspecify.annotations.NullMarked;
