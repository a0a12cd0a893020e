/**
 * The files of the dashboard, which browsers load. What its pages ask for is in {@code http.admin}.
 */
@NullMarked
package dev.queenmq.server.http.dashboard;

import org.jspecify.annotations.NullMarked;
