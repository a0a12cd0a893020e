/** Tests of the broker's side of the testkit. */
@NullMarked
package dev.queenmq.testkit.broker;

import org.jspecify.annotations.NullMarked;
