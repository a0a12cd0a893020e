package dev.queenmq.client.admin.messages;

import java.util.UUID;

/**
 * A dead letter that was given back.
 *
 * @param messageId of the message that is delivered now
 * @param redriven how many dead letters of the message were given back, one for each group
 */
public record RetriedMessage(UUID messageId, int redriven) {}
