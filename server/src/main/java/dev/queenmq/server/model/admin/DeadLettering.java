package dev.queenmq.server.model.admin;

import dev.queenmq.server.model.MessageKey;
import java.util.Optional;

/** Move a message to the dead letters of a group, also if a consumer holds it. */
public record DeadLettering(MessageKey message, String group, Optional<String> error) {}
