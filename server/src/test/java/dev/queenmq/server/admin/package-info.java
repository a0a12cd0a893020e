/** Tests of the read models. */
@NullMarked
package dev.queenmq.server.admin;

import org.jspecify.annotations.NullMarked;
