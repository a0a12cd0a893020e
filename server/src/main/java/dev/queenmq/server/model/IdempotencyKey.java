package dev.queenmq.server.model;

/**
 * Under which a client sends a transaction, so that it happens once however often it is sent.
 *
 * @param owner whose key it is: clients with different owners never meet
 * @param digest of what was sent: under the same key it must be the same
 */
public record IdempotencyKey(String owner, String key, String digest) {}
