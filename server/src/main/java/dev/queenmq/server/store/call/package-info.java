/**
 * What every operation of the store needs: the client, statement files, error codes and rules for
 * input.
 */
@NullMarked
package dev.queenmq.server.store.call;

import org.jspecify.annotations.NullMarked;
