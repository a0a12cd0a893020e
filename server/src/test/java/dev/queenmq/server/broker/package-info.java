/** What the broker does, without a database. */
@NullMarked
package dev.queenmq.server.broker;

import org.jspecify.annotations.NullMarked;
