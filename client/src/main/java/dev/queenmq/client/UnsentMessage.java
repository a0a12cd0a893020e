package dev.queenmq.client;

/**
 * A message that a buffer could not send before it was closed. Push {@link #message} again to the
 * same partition, also after a restart: if the broker has it already, it is a duplicate.
 *
 * @param queue where it should go
 * @param partition where it should go
 * @param message with its transaction id
 */
public record UnsentMessage(String queue, String partition, OutgoingMessage message) {}
