/** Tests of the history by the minute. */
@NullMarked
package dev.queenmq.server.admin.history;

import org.jspecify.annotations.NullMarked;
