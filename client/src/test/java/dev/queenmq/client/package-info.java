/** Tests of the client, without a broker ({@code *Test}) and with one ({@code *IT}). */
@NullMarked
package dev.queenmq.client;

import org.jspecify.annotations.NullMarked;
