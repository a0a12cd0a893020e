package dev.queenmq.client.internal.consumer;

import java.time.Duration;

/**
 * A message as the core sees it.
 *
 * @param <M> a message
 * @param message what handlers get
 * @param lane messages of one lane are handled one after the other
 * @param leaseId under which it is held
 * @param held how long the lease lasts, from its receipt
 */
public record Delivery<M>(M message, String lane, String leaseId, Duration held) {}
