package dev.queenmq.server.store;

import java.util.Optional;

/** Move a message to the dead letters of a group, whoever holds it. */
public record Burial(MessageKey message, String group, Optional<String> error) {}
