/**
 * Push, pop and consume messages. Start at {@link dev.queenmq.client.QueenClient}; what can go
 * wrong is a {@link dev.queenmq.client.QueenException}.
 */
@NullMarked
package dev.queenmq.client;

import org.jspecify.annotations.NullMarked;
