/** What a broker looks up on behalf of polls that wait. */
@NullMarked
package dev.queenmq.server.model.polling;

import org.jspecify.annotations.NullMarked;
