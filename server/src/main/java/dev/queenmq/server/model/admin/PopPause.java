package dev.queenmq.server.model.admin;

import java.util.Optional;

/**
 * An operator pauses pops of a queue, or lets them go on.
 *
 * @param group whose pops; absent: those of all groups
 * @param paused whether they are to be paused
 * @param by who asks for it: the subject of a token
 */
public record PopPause(String queue, Optional<String> group, boolean paused, Optional<String> by) {}
