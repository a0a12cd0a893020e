/**
 * What operators ask: health, metrics, queues, groups, messages, dead letters, traces, maintenance.
 */
@NullMarked
package dev.queenmq.server.http.admin;

import org.jspecify.annotations.NullMarked;
