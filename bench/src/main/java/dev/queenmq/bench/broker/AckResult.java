package dev.queenmq.bench.broker;

/**
 * What became of one ack.
 *
 * @param dead the message went to the dead letters
 * @param error why not, or empty
 */
public record AckResult(boolean success, boolean dead, String error) {}
