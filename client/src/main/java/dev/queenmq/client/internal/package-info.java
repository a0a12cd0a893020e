/** How requests reach a broker. Not exported: nothing here is a promise. */
@NullMarked
package dev.queenmq.client.internal;

import org.jspecify.annotations.NullMarked;
