/** What operators ask of queues, groups and dead letters, and what became of it. */
@NullMarked
package dev.queenmq.server.model.admin;

import org.jspecify.annotations.NullMarked;
