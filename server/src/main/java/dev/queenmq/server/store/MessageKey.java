package dev.queenmq.server.store;

import java.util.UUID;

/** How clients name a message: by its partition and the transaction id that it has there. */
public record MessageKey(UUID partitionId, String transactionId) {}
