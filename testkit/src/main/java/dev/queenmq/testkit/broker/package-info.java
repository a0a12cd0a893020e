/**
 * What runs in the broker's class loader, and alone knows the broker, Vert.x and PostgreSQL. Not
 * for users.
 */
@NullMarked
package dev.queenmq.testkit.broker;

import org.jspecify.annotations.NullMarked;
