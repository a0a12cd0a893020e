/** Tests of the transport. */
@NullMarked
package dev.queenmq.client.internal;

import org.jspecify.annotations.NullMarked;
