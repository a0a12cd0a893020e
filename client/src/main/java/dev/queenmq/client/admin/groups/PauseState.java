package dev.queenmq.client.admin.groups;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Whether pops are paused, after a pause or a resume.
 *
 * @param queue that is popped from
 * @param consumerGroup of the pops; null if it is about all groups
 * @param paused whether they are paused now
 * @param changed whether it was otherwise before
 * @param since when they were paused; null if they are not
 */
public record PauseState(
    String queue,
    @Nullable String consumerGroup,
    boolean paused,
    boolean changed,
    @Nullable Instant since) {}
