package dev.queenmq.client.admin.messages;

/**
 * What became of dead letters that were given back.
 *
 * @param queue of the dead letters
 * @param redriven how many were given back
 * @param remaining how many of those selected are left, because of the limit
 */
public record RedriveResult(String queue, long redriven, long remaining) {}
