package dev.queenmq.server.model;

import java.util.UUID;

/** How clients name a message: by its partition and the transaction id that it has there. */
public record MessageKey(UUID partitionId, String transactionId) {}
